// An FMU in a system: what its description says of ports and times, and the live subsystem.
#pragma once

#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::load {

/// Fills ports and suggested times, and checks the settings. Loads no code.
void describe_fmu(system::Subsystem& subsystem, base::Problems& problems);

/// Two subsystems of one library that allows only one instance are a problem.
void check_single_instances(const system::SystemDescription& description, base::Problems& problems);

/// Whether a plan that asks for fresh outputs, and nothing else, makes an FMU use event mode, where alone they follow
/// its inputs.
bool is_fresh_in_event_mode(const system::Subsystem& subsystem);

/// Whether it is an FMU of which a second instance is forbidden even after the first has gone.
bool can_be_made_only_once(const system::Subsystem& subsystem);

}  // namespace seam::load
