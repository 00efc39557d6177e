#include "seam/lti/balance.hpp"

#include "seam/lti/lapack.hpp"

namespace seam::lti {

Balanced balance(const Matrix& M) {
  require_square(M, "balancing");
  require_finite(M, "balancing");
  Balanced result{M, Vector::Ones(M.rows())};
  if (M.rows() == 0) return result;
  lapack_int low = 0, high = 0;
  require_success(LAPACKE_dgebal(LAPACK_COL_MAJOR, 'S', lapack_size(M.rows()), result.matrix.data(),
                                 lapack_size(M.rows()), &low, &high, result.scale.data()),
                  "balancing");
  return result;
}

}  // namespace seam::lti
