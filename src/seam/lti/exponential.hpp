// The matrix exponential.
#pragma once

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// e^M: the step of length 1 of x' = M x.
Matrix exponential(const Matrix& M);

}  // namespace seam::lti
