// What the corrector does in a macro step: offsets of inputs before it, mended outputs after it.
#pragma once

#include "seam/coupling/exchange.hpp"

namespace seam::coupling {

/// Before the first step there is nothing to mend.
void send_as_they_are(const Correction& correction, double* values);
/// Outputs of a lane of the program changed in an event at the communication point: they are sent as they are, to
/// whoever is there.
void send_again(const Correction& correction, int lane, base::Tick tick, double* values);

/// Right before the step: what the last correction adds to the inputs of so many corrected lanes.
void add_offsets(const Correction& correction, const Operation& operation, Memory& memory);
inline Operation all_lanes(const Correction& correction) {
  return {Action::offset, 0, static_cast<int>(correction.lanes.size())};
}

/// When lanes have arrived: their outputs mended, the wires' values for the sinks that have arrived too, and the
/// offsets of their next inputs. Allocates nothing.
base::Outcome correct(const Program& program, const Now& now, Memory& memory);

}  // namespace seam::coupling
