// --set path=value: a change to a description after its file was read.
#pragma once

#include <optional>
#include <string>

#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::load {

/// The name of the source that problems of an override, and settings it made, point into.
inline constexpr const char* override_source = "--set";

/// `path=value` as a change, whose name is the path; the value is read as in a system file, so lists work. None after
/// problems.
std::optional<system::Setting> read_override(const std::string& argument, base::Problems& problems);

/// `subsystem.parameter` adds or replaces a setting. A dotted parameter goes into the map setting of that name
/// (`rack.to_ground.d`), which is made if it is not there; a setting whose whole name is dotted comes first.
/// `experiment.start`, `experiment.stop`, `plan.step` and `record.every` take times.
void apply_override(system::SystemDescription& description, const system::Setting& change, base::Problems& problems);

/// The same for one subsystem. Names of an FMU are its own, dots and all.
void apply_setting(system::Subsystem& subsystem, const system::Setting& setting, base::Problems& problems);

}  // namespace seam::load
