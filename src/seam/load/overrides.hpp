// --set path=value: a change to a description after its file was read.
#pragma once

#include <string>

#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::load {

/// The name of the source that problems of an override, and settings it made, point into.
inline constexpr const char* override_source = "--set";

/// `subsystem.parameter=value` adds or replaces a setting; the value is read as in a system file, so lists work. A
/// dotted parameter goes into the map setting of that name (`rack.to_ground.d=3`), which is made if it is not there; a
/// setting whose whole name is dotted comes first. `experiment.start`, `experiment.stop` and `plan.step` take times.
void apply_override(system::SystemDescription& description, const std::string& argument, base::Problems& problems);

/// The same for one subsystem. Names of an FMU are its own, dots and all.
void apply_setting(system::Subsystem& subsystem, const system::Setting& setting, base::Problems& problems);

}  // namespace seam::load
