#include "seam/lti/exponential.hpp"

#include <unsupported/Eigen/MatrixFunctions>

#include "seam/lti/balance.hpp"

namespace seam::lti {

// e^M = S e^{S^-1 M S} S^-1 with the diagonal S from balancing; S holds powers of two, so scaling rounds nothing.
Matrix exponential(const Matrix& M) {
  if (M.size() == 0) return M;
  const Balanced balanced = balance(M);
  const Matrix result = balanced.matrix.exp();
  return balanced.scale.asDiagonal() * result * balanced.scale.cwiseInverse().asDiagonal();
}

}  // namespace seam::lti
