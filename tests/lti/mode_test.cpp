#include "seam/lti/mode.hpp"

#include <gtest/gtest.h>

#include "seam/lti/eigenvalues.hpp"

namespace seam::lti {
namespace {

Matrix some_matrix() {
  Matrix M(4, 4);
  M << 0.3, 1.0, 0.2, -0.1, -1.2, 0.4, 0.0, 0.3, 0.1, 0.0, 0.7, 0.5, 0.0, -0.2, -0.4, 0.1;
  return M;
}

TEST(Mode, vectors_satisfy_their_equations) {
  const Matrix M = some_matrix();
  for (const auto& lambda : eigenvalues(M)) {
    const Mode mode = mode_of(M, lambda);
    EXPECT_LT((M * mode.right - lambda * mode.right).norm(), 1e-12);
    EXPECT_LT((mode.left.adjoint() * M - lambda * mode.left.adjoint()).norm(), 1e-11 * mode.left.norm());
    EXPECT_LT(std::abs(mode.left.dot(mode.right) - 1.0), 1e-12);
  }
}

TEST(Mode, sensitivity_is_the_derivative_of_the_eigenvalue) {
  const Matrix M = some_matrix();
  Matrix change = Matrix::Zero(4, 4);
  change(1, 2) = 1.0;
  change(3, 0) = -2.0;
  const auto before = eigenvalues(M), ahead = eigenvalues(M + 1e-6 * change), behind = eigenvalues(M - 1e-6 * change);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto expected = (ahead[i] - behind[i]) / 2e-6;
    EXPECT_LT(std::abs(sensitivity(mode_of(M, before[i]), change) - expected), 1e-8) << i;
  }
}

}  // namespace
}  // namespace seam::lti
