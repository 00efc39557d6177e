// The equations that the calls of a subsystem tend to as they get shorter: what it models, without what the solver
// inside it adds at each length.
#pragma once

#include <optional>
#include <vector>

#include "seam/analysis/linear_models.hpp"

namespace seam::analysis {

struct LimitEquations {
  lti::StateSpace equations;
  double unsure = 0.0;  ///< relative, of the worst pole: how far the extrapolation without the longest calls is away
};

/// From maps of calls at several lengths, the shortest last. A one-step method of order p makes the calls of equations
/// A + h^p E + …: their polynomial in h is extrapolated to h = 0. None if no equations make the calls, or not with the
/// same number of states.
std::optional<LimitEquations> limit_equations(const std::vector<StepMap>& maps);

}  // namespace seam::analysis
