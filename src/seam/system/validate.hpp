// What is wrong with a system that has been read and whose paths are resolved.
#pragma once

#include <string>
#include <string_view>

#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::system {

/// Names, two sources for one input, inputs that nothing feeds, times and steps. Call it after resolve_paths, which has
/// said already what is wrong with the ends of connections and their units: nothing is reported twice.
void validate(const SystemDescription& description, base::Problems& problems);

/// [A-Za-z_][A-Za-z0-9_-]*
bool is_legal_name(std::string_view name);
/// Legal names with dots between them: a subsystem inside a system has the names of both.
bool is_legal_path(std::string_view path);
/// The same with `_` for every character that a name cannot have.
std::string legal_path(std::string_view name);

}  // namespace seam::system
