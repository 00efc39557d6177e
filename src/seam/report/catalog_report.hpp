// The tables of coupling methods and of built-in models, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "seam/formats/value.hpp"

namespace seam::report {

/// One line a method; with a name, everything about it. Empty if there is none of that name.
std::string methods_text(const std::string& name);
/// Likewise for built-in models.
std::string models_text(const std::string& name);
/// Methods and models together, all or those of one name.
formats::Value catalog_value(const std::string& name);

/// All names either text knows.
std::vector<std::string> catalog_names();

}  // namespace seam::report
