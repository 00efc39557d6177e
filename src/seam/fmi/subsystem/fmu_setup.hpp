// What is wanted of one instance of an FMU.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "seam/assembly/native.hpp"
#include "seam/fmi/description/ports.hpp"
#include "seam/fmi/instance/instance.hpp"

namespace seam::fmi {

struct FmuSetup {
  std::string name;
  std::shared_ptr<const Fmu> fmu;
  std::shared_ptr<const Ports> ports;  ///< with these settings; null: not yet known
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

}  // namespace seam::fmi
