// Which inputs of a linear system are integrated.
#pragma once

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// Whether some state, or a combination of states, is the integral of this input and of others: w with w A = 0 and
/// w b not 0.
bool integrates(const StateSpace& system, int input);

}  // namespace seam::lti
