// The matrix exponential.
#pragma once

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// e^M by scaling and squaring with Padé approximants (Higham 2005), after balancing M with powers of two: without it
/// a stiffness of 1e7 beside a mass of 1 costs several digits.
Matrix exponential(const Matrix& M);

}  // namespace seam::lti
