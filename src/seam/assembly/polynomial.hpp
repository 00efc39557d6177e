// Polynomials of an input seen on a part of the step.
#pragma once

#include "seam/ode/input.hpp"

namespace seam::assembly {

/// Writes the polynomial of `whole` on [from, to] of its own theta, with theta running over [0, 1] again there.
/// `part` has (whole.degree + 1) * whole.width doubles.
void restrict_polynomial(const ode::InputPolynomials& whole, double from, double to, double* part);

}  // namespace seam::assembly
