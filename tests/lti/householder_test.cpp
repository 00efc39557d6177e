#include "seam/lti/householder.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "lti/random_matrices.hpp"

namespace seam::lti {
namespace {

Matrix triangle_of(Matrix A) {
  const auto rows = static_cast<int>(A.rows()), columns = static_cast<int>(A.cols());
  make_triangular({A.data(), rows, columns, rows});
  return A.topRows(std::min(rows, columns)).triangularView<Eigen::Upper>();
}

/// Rows of R may have either sign.
void expect_same_triangle(const Matrix& found, const Matrix& expected, double tolerance) {
  for (Eigen::Index i = 0; i < expected.rows(); ++i) {
    const double sign = found(i, i) * expected(i, i) < 0.0 ? -1.0 : 1.0;
    EXPECT_LT((sign * found.row(i) - expected.row(i)).norm(), tolerance) << "row " << i;
  }
}

TEST(Householder, the_triangle_is_that_of_a_known_factorisation_for_any_number_of_rows_and_columns) {
  RandomMatrices random(71);
  for (const int rows : {1, 2, 3, 4, 5, 7, 8, 9, 21, 98}) {
    for (const int columns : {1, 2, 3, 4, 5, 6, 9, 10}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      const Matrix A = random.matrix(rows, columns);
      const Matrix known = Eigen::HouseholderQR<Matrix>(A).matrixQR().topRows(std::min(rows, columns));
      expect_same_triangle(triangle_of(A), known.triangularView<Eigen::Upper>(), 1e-13 * A.norm());
    }
  }
}

TEST(Householder, the_triangle_keeps_what_is_small_beside_the_rest) {
  RandomMatrices random(72);
  Matrix A = random.matrix(40, 5);
  const Matrix R = triangle_of(A);
  for (int j = 0; j < 5; ++j) A.col(j) *= std::pow(10.0, -7 * j);
  const Matrix scaled = triangle_of(A);
  for (int j = 0; j < 5; ++j)
    EXPECT_LT((scaled.col(j) * std::pow(10.0, 7 * j) - R.col(j)).norm(), 1e-13 * R.norm()) << "column " << j;
}

TEST(Householder, the_triangle_of_columns_that_repeat_ends_in_zeros) {
  RandomMatrices random(73);
  Matrix A(30, 6);
  A << random.matrix(30, 2), Matrix::Zero(30, 1), random.matrix(30, 1), Matrix::Zero(30, 2);
  A.col(4) = A.col(0) - 2.0 * A.col(3);
  const Matrix R = triangle_of(A);
  EXPECT_LT((R.transpose() * R - A.transpose() * A).norm(), 1e-13 * A.squaredNorm());
  EXPECT_EQ(R.col(2).norm(), 0.0);
  EXPECT_LT(std::abs(R(4, 4)), 1e-13);
}

}  // namespace
}  // namespace seam::lti
