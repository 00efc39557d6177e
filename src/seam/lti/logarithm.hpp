// The matrix logarithm, and the equations behind a sampled system.
#pragma once

#include <optional>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// The L with e^L = M whose eigenvalues have imaginary parts within (-pi, pi). None if an eigenvalue is 0 or negative,
/// or if e^L is not M to eight digits.
std::optional<Matrix> logarithm(const Matrix& M);

/// The equations whose step of length h under held inputs is x+ = A x + B u; C and D are taken over. Of all equations
/// with that step the slowest.
std::optional<StateSpace> undo_hold(const StateSpace& sampled, double h);

}  // namespace seam::lti
