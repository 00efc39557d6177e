// Ports of a subsystem at the begin of every micro step, for whoever records them.
#pragma once

#include <vector>

#include "seam/coupling/program.hpp"

namespace seam::coupling {

/// Whether somebody wants them of a member. Then the master splits its step, whether that changes the result or not.
bool wants_micro_rows(const std::vector<MicroRequest>& requests, int member);

/// Gives the rows their places; a member that stands in several requests has the ports of all.
void lay_out_micro_rows(Program& program, const std::vector<MicroRequest>& requests);

/// Before micro step number `segment`, whose input lies at lane.segment: notes that input, and the outputs. A model of
/// our own is asked for them under that input; everything else has said them under the input before.
void note_micro_row(const Program& program, const Lane& lane, int segment, const assembly::Step& step, double* values);

/// The micro steps of a lane's step of which `fraction` was made, and the row of one of them.
int count_micro_rows(const Lane& lane, double fraction);
const double* micro_row(const MicroRows& rows, int segment, const double* values);

}  // namespace seam::coupling
