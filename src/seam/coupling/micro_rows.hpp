// Ports of a subsystem at the start of every micro step, to be recorded.
#pragma once

#include <vector>

#include "seam/coupling/program.hpp"

namespace seam::coupling {

/// Whether they are wanted of a member. Then the master splits its step, whether that changes the result or not.
bool wants_micro_rows(const std::vector<MicroRequest>& requests, int member);

/// A member that stands in several requests has the ports of all.
void list_micro_rows(const assembly::Assembly& assembly, const std::vector<MicroRequest>& requests, Parts& parts);
/// How many macro steps the rows have room for: one, or several where no step can fail before they are read. The ticks
/// after which the first row is overwritten.
base::Tick give_room(const std::vector<Lane>& lanes, bool no_step_fails, std::vector<MicroRows>& rows);

/// Before a micro step, whose input lies at lane.segment: notes that input, and the outputs, in `row`. A model of our
/// own is asked for them under that input; everything else has said them under the input before.
void note_micro_row(const Program& program, const Lane& lane, int row, const assembly::Step& step, double* values);

/// The micro steps of a lane's step of which `fraction` was made.
int count_micro_rows(const Lane& lane, double fraction);
/// Place of the first row of the step that ends at a tick.
inline int micro_rows_of_step(const MicroRows& rows, const Lane& lane, base::Tick end) {
  const base::Tick number = lane.multiple == 1 ? end - 1 : end / lane.multiple - 1;
  return rows.place + static_cast<int>(number & (rows.steps - 1)) * lane.segments * rows.width();
}

}  // namespace seam::coupling
