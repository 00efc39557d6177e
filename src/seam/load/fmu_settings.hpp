// The `set:` of an FMU: values for its parameters and start values, in the units and types of its variables.
#pragma once

#include <utility>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/fmi/ports.hpp"
#include "seam/fmi/values.hpp"
#include "seam/system/description.hpp"

namespace seam::load {

using FmuSettings = std::vector<std::pair<const fmi::Variable*, fmi::Values>>;

/// Every setting checked against its variable: it exists, may be set, has the right type, unit, number of elements and
/// range.
FmuSettings read_fmu_settings(const system::Subsystem& subsystem, const fmi::ModelDescription& description,
                              base::Problems& problems);

}  // namespace seam::load
