// An FMU in a system: what its description says of ports and times, and the live subsystem.
#pragma once

#include <memory>
#include <vector>

#include "seam/assembly/assembly.hpp"
#include "seam/base/problem.hpp"
#include "seam/fmi/instance.hpp"
#include "seam/system/plan.hpp"

namespace seam::load {

/// Opens an FMU once per content, however often it is asked for.
std::shared_ptr<const fmi::Fmu> open_fmu_once(const std::string& path, const base::Location& where,
                                              base::Problems& problems);

/// Fills ports and suggested times, and checks the settings. Loads no code.
void describe_fmu(system::Subsystem& subsystem, base::Problems& problems);

/// Two subsystems of one library that allows only one instance are a problem.
void check_single_instances(const system::SystemDescription& description, base::Problems& problems);

/// Whether a second instance is forbidden even after the first has gone.
bool can_be_made_only_once(const system::Subsystem& subsystem);

/// What the live FMU needs to know about its surroundings.
struct FmuSurroundings {
  std::vector<int> connected_inputs;
  std::vector<assembly::Drive> drives;
  std::vector<std::string> tuned_parameters;  ///< by events; they exist
  fmi::Experiment experiment;
  fmi::Logging logging;
  system::Via via = system::Via::micro_steps;
  bool via_is_forced = false;  ///< by the user
  system::Events events = system::Events::local;
  system::Feedthrough feedthrough = system::Feedthrough::held;
};

/// Null after problems.
std::unique_ptr<assembly::Subsystem> make_fmu(const system::Subsystem& subsystem, FmuSurroundings surroundings,
                                              base::Problems& problems);

}  // namespace seam::load
