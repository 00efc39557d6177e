// Rational functions of one variable with real coefficients.
#pragma once

#include <complex>
#include <vector>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// Of a polynomial, the lowest power first.
using Coefficients = std::vector<double>;

Coefficients product(const Coefficients& a, const Coefficients& b);
Coefficients difference(const Coefficients& a, const Coefficients& b);
/// The highest coefficient is 1. Roots that are not real come in conjugate pairs.
Coefficients from_roots(const std::vector<std::complex<double>>& roots);
std::complex<double> value_at(const Coefficients& polynomial, std::complex<double> p);
/// The highest coefficient must not be 0.
std::vector<std::complex<double>> roots(const Coefficients& polynomial);

/// Denominator of Butterworth's low-pass filter of this order with cut-off 1 (rad over the unit of time).
Coefficients butterworth(int order);

struct Rational {
  Coefficients numerator, denominator;
};

/// x' = A x + B u, y = C x + D u with this transfer function, which must be proper (controllable canonical form).
StateSpace realise(const Rational& function);

}  // namespace seam::lti
