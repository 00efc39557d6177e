// The equations that the calls of a subsystem tend to as they get shorter: what it models, without what the solver
// inside it adds at each length.
#pragma once

#include <optional>
#include <vector>

#include "seam/analysis/linear_models.hpp"

namespace seam::analysis {

/// The equations that make calls of each length, as a polynomial in the length.
class LimitEquations {
 public:
  /// One a length, the shortest last, in the same states.
  LimitEquations(std::vector<double> lengths, std::vector<lti::StateSpace> equations);

  /// Of calls of this length; 0: of what the calls tend to.
  lti::StateSpace at(double length) const;
  /// Relative, of the worst pole at 0: how far the polynomial without the longest calls is away.
  double unsure() const { return unsure_; }
  /// s, the longest first.
  const std::vector<double>& lengths() const { return lengths_; }

 private:
  lti::StateSpace sum(double length, std::size_t first) const;

  std::vector<double> lengths_;  // s
  std::vector<lti::StateSpace> equations_;
  double unsure_;
};

/// From maps of calls at several lengths, the shortest last. A one-step method of order p makes the calls of equations
/// A + h^p E + …: their polynomial in h is extrapolated to h = 0. None if no equations make the calls, or not with the
/// same number of states.
std::optional<LimitEquations> limit_equations(const std::vector<StepMap>& maps);

}  // namespace seam::analysis
