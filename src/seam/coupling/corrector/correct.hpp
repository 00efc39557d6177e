// What the corrector does in a macro step: offsets of inputs before it, corrected outputs after it.
#pragma once

#include "seam/coupling/executor.hpp"

namespace seam::coupling {

/// Before the first step there is nothing to correct.
void send_as_they_are(const Correction& correction, double* values);
/// Outputs of a lane of the program changed in an event at the communication point: they are sent as they are, to
/// the sinks that are there.
void send_again(const Correction& correction, int lane, base::Tick tick, double* values);

/// Right before the step: what the last correction adds to the inputs of these lanes.
void add_offsets(const Execution& execution, const LaneRange& lanes);

/// When lanes have arrived: their outputs corrected, the wires' values for the sinks that have arrived too, and the
/// offsets of their next inputs. Whether all that is sent is sound. Allocates nothing.
bool correct(const Execution& execution);

}  // namespace seam::coupling
