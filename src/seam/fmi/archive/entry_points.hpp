// The functions that the library of an FMU has to have for what its description promises.
#pragma once

#include <string>
#include <vector>

#include "seam/fmi/description/model_description.hpp"

namespace seam::fmi {

/// Of all interfaces that this library serves; without those that only some FMUs need.
std::vector<std::string> required_functions(const ModelDescription& description, const std::string& model_identifier);

}  // namespace seam::fmi
