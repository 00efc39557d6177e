// What foretells the outputs best while a system runs: an order of extrapolation, or no model at all. Only source files
// of this room include it.
#pragma once

#include "seam/coupling/corrector/observed.hpp"

namespace seam::coupling {

/// At a communication point, before anything is noted: errors of the past count less.
void forget_errors(const CorrectionContext& m);
/// What each order has missed of these innovations, and a hold, which has foretold what was sent last.
void note_errors(const Correction& c, const Observed& o, const double* innovations);
/// Once all that have arrived are observed: the order, and whether a hold takes the place of the prediction.
void choose(const CorrectionContext& m);
/// Whether it has.
bool is_held(const Correction& c, const Memory& memory);

}  // namespace seam::coupling
