// Square linear equations.
#pragma once

#include <optional>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// x with A x = b, or none if A is singular to working precision.
std::optional<Vector> solve(const Matrix& A, const Vector& b);

}  // namespace seam::lti
