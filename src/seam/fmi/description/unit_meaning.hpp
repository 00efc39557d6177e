// What the units of an FMU mean.
#pragma once

#include <optional>
#include <string>

#include "seam/fmi/description/model_description.hpp"
#include "seam/system/units.hpp"

namespace seam::fmi {

/// What the FMU itself says of the unit, where that is not what the name usually means.
std::optional<system::Unit> defined_unit(const ModelDescription& description, const std::string& name);

/// By the FMU's definition, else by the name; none if neither is known.
std::optional<system::Unit> unit_meaning(const ModelDescription& description, const std::string& name);

}  // namespace seam::fmi
