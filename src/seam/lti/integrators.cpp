#include "seam/lti/integrators.hpp"

#include "seam/lti/balance.hpp"
#include "seam/lti/subspaces.hpp"

namespace seam::lti {

bool integrates(const StateSpace& system, int input) {
  constexpr double rounding = 1e-9;  // models that were identified have it
  if (system.states() == 0) return false;
  const Balanced balanced = balance(system.A);
  const Vector b = balanced.scale.cwiseInverse().asDiagonal() * system.B.col(input);
  return (null_space(balanced.matrix.transpose(), rounding).transpose() * b).norm() > rounding * b.norm();
}

}  // namespace seam::lti
