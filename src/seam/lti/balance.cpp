#include "seam/lti/balance.hpp"

#include <algorithm>

#include "seam/lti/lapack.hpp"

namespace seam::lti {

Balanced balance(const Matrix& M) {
  require_square(M, "balancing");
  require_finite(M, "balancing");
  Balanced result{M, Vector::Ones(M.rows())};
  balance(result.matrix.data(), lapack_size(M.rows()), result.scale.data());
  return result;
}

void balance(double* M, int n, double* scale) {
  lapack_int low = 0, high = 0;
  if (n == 0 || LAPACKE_dgebal(LAPACK_COL_MAJOR, 'S', n, M, n, &low, &high, scale) == 0) return;
  std::fill_n(scale, n, 1.0);
}

}  // namespace seam::lti
