#include "seam/lti/discretise.hpp"

#include <cmath>

#include "seam/base/error.hpp"
#include "seam/lti/exponential.hpp"

namespace seam::lti {
namespace {

/// The power of two next to the norm of a column (1 for a zero column): dividing by it rounds nothing.
double column_scale(const Matrix& B, Eigen::Index column) {
  const double norm = B.col(column).lpNorm<1>();
  if (!(norm > 0.0) || !std::isfinite(norm)) return 1.0;
  int exponent = 0;
  std::frexp(norm, &exponent);
  return std::ldexp(1.0, exponent);
}

}  // namespace

// Van Loan (1978): the input is the output of a chain of integrators appended to the system, in time theta. With
// z_k = u^(k)/k! the chain reads z_k' = (k+1) z_{k+1} and starts at z_k(0) = c_k, so that G_j is a block of one
// exponential and no factorial appears. The columns of B are scaled, or large inputs would cost digits of Ad.
PolynomialStep discretise(const StateSpace& system, double h, int degree) {
  if (degree < 0) throw base::Error(base::Failure::internal, "discretise: the degree of the input is negative");
  const Eigen::Index n = system.states();
  const Eigen::Index m = system.B.cols();
  Vector scale(m);
  for (Eigen::Index j = 0; j < m; ++j) scale(j) = column_scale(h * system.B, j);

  const Eigen::Index total = n + m * (degree + 1);
  Matrix chain = Matrix::Zero(total, total);
  chain.topLeftCorner(n, n) = h * system.A;
  if (m > 0) chain.block(0, n, n, m) = h * system.B * scale.cwiseInverse().asDiagonal();
  for (int k = 0; k < degree; ++k) {
    chain.block(n + k * m, n + (k + 1) * m, m, m).diagonal().setConstant(k + 1.0);
  }

  const Matrix flow = exponential(chain);
  PolynomialStep step;
  step.Ad = flow.topLeftCorner(n, n);
  for (int j = 0; j <= degree; ++j) step.G.push_back(flow.block(0, n + j * m, n, m) * scale.asDiagonal());
  return step;
}

}  // namespace seam::lti
