// How far the inputs of an FMU may be moved by a probe. Only source files of this room include it.
#pragma once

#include <vector>

#include "seam/analysis/probe.hpp"
#include "seam/system/description.hpp"

namespace seam::engine {

/// What is known of the size of an input before its FMU is asked.
struct InputSize {
  std::optional<double> nominal, min, max;
};

/// One a real input, from the description of the FMU.
std::vector<InputSize> input_sizes(const system::Subsystem& subsystem);

/// What an input did in a short run of the whole system.
struct SeenInput {
  double value = 0.0;  ///< at the operating point
  double range = 0.0;  ///< largest minus smallest value
};

/// By the nominal value, else by the range in the run, else by the value, else a default; inside min and max, with room
/// for twice the motion. `part` shrinks all of it.
analysis::InputMotion motion_of(const InputSize& size, const SeenInput& seen, double part);

/// How many continuous states the FMU lists; none if it lists none.
std::optional<int> listed_states(const system::Subsystem& subsystem);

}  // namespace seam::engine
