// An FMU for co-simulation as a subsystem.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "seam/assembly/native.hpp"
#include "seam/assembly/subsystem.hpp"
#include "seam/fmi/instance.hpp"
#include "seam/fmi/ports.hpp"

namespace seam::fmi {

/// What the user wants of one instance.
struct CoSimulationSetup {
  std::string name;
  std::shared_ptr<const Fmu> fmu;
  std::vector<std::pair<const Variable*, Values>>
      settings;                           ///< parameters and start values, by causality set when they may be
  std::vector<int> connected_inputs;      ///< flat; the others keep what the FMU has
  std::vector<assembly::Drive> drives;    ///< inputs that follow a known signal: sampled at every call
  std::vector<const Variable*> tunables;  ///< parameters that change while it runs
  Experiment experiment;
  Unpacked::Sharing sharing = Unpacked::Sharing::shared;
  int retries = 0;  ///< how often a discarded step is tried again in halves (needs a state that can be saved)
  Logging logging = Logging::off;
  system::Via via = system::Via::micro_steps;
  bool via_is_forced = false;  ///< by the user: then nothing else will do
};

/// Instantiated, initialised and stepped by the engine, exactly in the order the standard demands.
std::unique_ptr<assembly::Subsystem> make_co_simulation(CoSimulationSetup setup);

}  // namespace seam::fmi
