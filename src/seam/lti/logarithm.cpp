#include "seam/lti/logarithm.hpp"

#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

#include "seam/lti/balance.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "seam/lti/exponential.hpp"

namespace seam::lti {

std::optional<Matrix> logarithm(const Matrix& M) {
  if (M.size() == 0) return M;
  for (const auto& value : eigenvalues(M)) {
    if (std::abs(value) < 1e-300 || (value.real() < 0.0 && std::abs(value.imag()) < 1e-9 * std::abs(value)))
      return std::nullopt;
  }
  const Balanced balanced = balance(M);
  const Matrix result = balanced.matrix.log();
  if (!result.allFinite() || (exponential(result) - balanced.matrix).norm() > 1e-8 * balanced.matrix.norm())
    return std::nullopt;
  return Matrix(balanced.scale.asDiagonal() * result * balanced.scale.cwiseInverse().asDiagonal());
}

// Inputs that are held are states that do not change: [A B; 0 I] = exp(h [Ac Bc; 0 0]). The columns of B are scaled to
// length 1, since their units are no part of the question.
std::optional<StateSpace> undo_hold(const StateSpace& sampled, double h) {
  const auto n = sampled.states(), m = sampled.inputs();
  Matrix extended = Matrix::Identity(n + m, n + m);
  Vector scale(m);
  for (Eigen::Index j = 0; j < m; ++j) {
    const double norm = sampled.B.col(j).norm();
    scale(j) = norm > 0.0 ? norm : 1.0;
  }
  extended.topLeftCorner(n, n) = sampled.A;
  extended.topRightCorner(n, m) = sampled.B * scale.cwiseInverse().asDiagonal();
  const auto rates = logarithm(extended);
  if (!rates) return std::nullopt;
  return StateSpace{rates->topLeftCorner(n, n) / h, rates->topRightCorner(n, m) * scale.asDiagonal() / h, sampled.C,
                    sampled.D};
}

}  // namespace seam::lti
