#include "seam/lti/rational.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "seam/base/error.hpp"
#include "seam/lti/eigenvalues.hpp"

namespace seam::lti {
namespace {

using Complex = std::complex<double>;

/// The companion matrix: its characteristic polynomial is this one.
Matrix companion(const Coefficients& polynomial) {
  const auto n = static_cast<Eigen::Index>(polynomial.size()) - 1;
  Matrix A = Matrix::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (i + 1 < n) A(i, i + 1) = 1.0;
    A(n - 1, i) = -polynomial[static_cast<std::size_t>(i)] / polynomial.back();
  }
  return A;
}

}  // namespace

Coefficients product(const Coefficients& a, const Coefficients& b) {
  Coefficients result(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) result[i + j] += a[i] * b[j];
  }
  return result;
}

Coefficients difference(const Coefficients& a, const Coefficients& b) {
  Coefficients result(std::max(a.size(), b.size()), 0.0);
  std::copy(a.begin(), a.end(), result.begin());
  for (std::size_t i = 0; i < b.size(); ++i) result[i] -= b[i];
  return result;
}

Coefficients from_roots(const std::vector<Complex>& roots) {
  Coefficients result{1.0};
  for (const Complex& root : roots) {
    if (root.imag() == 0.0) result = product(result, {-root.real(), 1.0});
    if (root.imag() > 0.0) result = product(result, {std::norm(root), -2.0 * root.real(), 1.0});
  }
  if (result.size() != roots.size() + 1)
    throw base::Error(base::Failure::internal, "the roots of a real polynomial are not in conjugate pairs");
  return result;
}

Complex value_at(const Coefficients& polynomial, Complex p) {
  Complex value{};
  for (auto c = polynomial.rbegin(); c != polynomial.rend(); ++c) value = value * p + *c;
  return value;
}

std::vector<Complex> roots(const Coefficients& polynomial) { return eigenvalues(companion(polynomial)); }

// b_k = b_(k-1) cos((k-1) pi/2n)/sin(k pi/2n).
Coefficients butterworth(int order) {
  Coefficients b{1.0};
  const double angle = 0.5 * std::numbers::pi / order;
  for (int k = 1; k <= order; ++k) b.push_back(b.back() * std::cos((k - 1) * angle) / std::sin(k * angle));
  return b;
}

StateSpace realise(const Rational& function) {
  const Coefficients& d = function.denominator;
  Coefficients n = function.numerator;
  while (n.size() > d.size() && n.back() == 0.0) n.pop_back();
  if (n.size() > d.size()) throw base::Error(base::Failure::internal, "a transfer function that is not proper");
  n.resize(d.size(), 0.0);
  const auto states = static_cast<Eigen::Index>(d.size()) - 1;
  const double direct = n.back() / d.back();
  StateSpace result;
  result.A = companion(d);
  result.B = Matrix::Zero(states, 1);
  if (states > 0) result.B(states - 1, 0) = 1.0;
  result.C = Matrix::Zero(1, states);
  for (Eigen::Index i = 0; i < states; ++i) {
    const auto power = static_cast<std::size_t>(i);
    result.C(0, i) = (n[power] - direct * d[power]) / d.back();
  }
  result.D = Matrix::Constant(1, 1, direct);
  return result;
}

}  // namespace seam::lti
