// One step of a linear system, exact for inputs that are polynomials in time.
#pragma once

#include <vector>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// x(t + h) = Ad x(t) + sum_j G[j] c_j for u(theta) = sum_j c_j theta^j, theta = (time since t)/h in [0, 1].
struct PolynomialStep {
  Matrix Ad;
  std::vector<Matrix> G;
};

/// Ad = e^{A h}, G_j = h * integral_0^1 e^{A h (1 - s)} s^j ds B, for j = 0..degree; A may be singular.
PolynomialStep discretise(const StateSpace& system, double h, int degree);

}  // namespace seam::lti
