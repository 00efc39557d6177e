// The correction as one affine map, for the usual case: fixed models, one rate, nobody ever left out.
#pragma once

#include "seam/coupling/corrector/correct.hpp"

namespace seam::coupling {

/// Finds the map by calling the correction itself with unit vectors, so that there is no second formula. Nothing is
/// made where the case is not the usual one.
void make_quick(Program& program);

/// `correct` by that map; the step must be a whole one, with all samples that the shape of the input needs.
base::Outcome correct_quickly(const Correction& correction, Memory& memory);

}  // namespace seam::coupling
