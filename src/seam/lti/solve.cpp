#include "seam/lti/solve.hpp"

#include <Eigen/LU>

namespace seam::lti {

std::optional<Vector> solve(const Matrix& A, const Vector& b) {
  if (!A.allFinite() || !b.allFinite()) return std::nullopt;
  const Eigen::PartialPivLU<Matrix> factors(A);
  if (!(factors.rcond() > 1e-14)) return std::nullopt;
  return factors.solve(b);
}

}  // namespace seam::lti
