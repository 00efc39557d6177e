// The `set:` of an FMU: values for its parameters and start values, in the units and types of its variables.
#pragma once

#include <utility>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/fmi/description/ports.hpp"
#include "seam/fmi/description/values.hpp"
#include "seam/system/description.hpp"

namespace seam::load {

using FmuSettings = std::vector<std::pair<const fmi::Variable*, fmi::Values>>;

/// Every setting checked against its variable: it exists, may be set, has the right type, unit, number of elements and
/// range.
FmuSettings read_fmu_settings(const system::Subsystem& subsystem, const fmi::ModelDescription& description,
                              base::Problems& problems);

/// One value for an element of a variable; empty after a problem.
fmi::Values read_fmu_element(const fmi::Variable& variable, const system::Value& value, base::Problems& problems);

/// Sizes that the settings choose.
fmi::Structure structure_of(const FmuSettings& settings);

}  // namespace seam::load
