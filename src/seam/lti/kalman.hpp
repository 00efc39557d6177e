// The steady-state Kalman filter of a sampled system, and what of a system its outputs show.
#pragma once

#include <optional>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// x(n+1) = A x(n) + process noise of covariance Q, y(n) = C x(n) + noise of covariance R (positive definite).
struct FilterProblem {
  Matrix A, C, Q, R;
};

/// x^ = x^- + gain (y - C x^-), where x^- is what A makes of the estimate before.
struct SteadyFilter {
  Matrix gain;
  Matrix covariance;  ///< of the error of x^-
};

/// None if the covariance does not settle: a mode that does not decay and that no output shows.
std::optional<SteadyFilter> steady_filter(const FilterProblem& problem);

/// The part of a system that its outputs show: z = to_part x, with z' = A z + B u, y = C z + D u. Without the rest the
/// outputs are the same for every input.
struct ObservablePart {
  StateSpace system;
  Matrix to_part;
};
ObservablePart observable_part(const StateSpace& system);

}  // namespace seam::lti
