#include "seam/lti/singular_values.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>

#include "lti/random_matrices.hpp"

namespace seam::lti {
namespace {

using Vectors = SingularValues::Vectors;

struct Found {
  Vector values;
  Matrix left;
};

Found found(const Matrix& A) {
  const auto rows = static_cast<int>(A.rows()), columns = static_cast<int>(A.cols());
  SingularValues singular(rows, columns);
  EXPECT_TRUE(singular.compute(A.data(), rows, columns, Vectors::none));
  const std::vector<double> alone = singular.values();
  EXPECT_TRUE(singular.compute(A.data(), rows, columns, Vectors::left));
  EXPECT_EQ(alone, singular.values()) << "with vectors and without";
  const auto count = std::min(A.rows(), A.cols());
  return {Eigen::Map<const Vector>(singular.values().data(), count),
          Eigen::Map<const Matrix>(singular.left(), rows, rows)};
}

Matrix orthogonal(RandomMatrices& random, int n) {
  return Eigen::HouseholderQR<Matrix>(random.matrix(n, n)).householderQ();
}

/// U^T A has orthogonal rows as long as the singular values say, and none behind them.
void expect_decomposed(const Matrix& A, const Found& f) {
  const Eigen::Index n = A.rows();
  EXPECT_LT((f.left.transpose() * f.left - Matrix::Identity(n, n)).norm(), 1e-14 * static_cast<double>(n + 1));
  Matrix squares = Matrix::Zero(n, n);
  squares.diagonal().head(f.values.size()) = f.values.cwiseAbs2();
  EXPECT_LT((f.left.transpose() * A * A.transpose() * f.left - squares).norm(), 1e-14 * A.squaredNorm());
}

TEST(SingularValues, are_those_of_a_known_decomposition_for_any_shape) {
  RandomMatrices random(81);
  for (const int rows : {1, 2, 3, 4, 6, 9, 20}) {
    for (const int columns : {1, 2, 3, 5, 6, 8, 20}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      const Matrix A = random.matrix(rows, columns);
      const Found f = found(A);
      EXPECT_LT((f.values - A.jacobiSvd().singularValues()).norm(), 1e-14 * A.norm());
      expect_decomposed(A, f);
    }
  }
}

TEST(SingularValues, are_right_for_matrices_that_are_not_small_and_numbers_that_are_not_usual) {
  RandomMatrices random(84);
  for (const double size : {1e-140, 1e-100, 1.0, 1e100, 1e140}) {
    for (const int rows : {6, 40}) {
      SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(size));
      const Matrix usual = random.matrix(rows, rows + 2), A = size * usual;
      SingularValues singular(rows, rows + 2);
      ASSERT_TRUE(singular.compute(A.data(), rows, rows + 2, Vectors::left));
      const Found f{Eigen::Map<const Vector>(singular.values().data(), rows) / size,
                    Eigen::Map<const Matrix>(singular.left(), rows, rows)};
      EXPECT_LT((f.values - usual.jacobiSvd().singularValues()).norm(), 1e-13 * usual.norm());
      expect_decomposed(usual, f);
    }
  }
}

TEST(SingularValues, do_not_exist_where_an_entry_is_no_number) {
  for (const int rows : {3, 40}) {
    Matrix A = Matrix::Identity(rows, rows);
    SingularValues singular(rows, rows);
    for (const double number : {std::nan(""), HUGE_VAL}) {
      A(1, 2) = number;
      EXPECT_FALSE(singular.compute(A.data(), rows, rows, Vectors::left));
    }
  }
}

TEST(SingularValues, fall_over_all_digits_and_stay_right) {
  RandomMatrices random(82);
  for (int draw = 0; draw < 20; ++draw) {
    Vector values(6);
    for (int i = 0; i < 6; ++i) values(i) = std::pow(10.0, -2.5 * i);
    const Matrix A = orthogonal(random, 6) * values.asDiagonal() * orthogonal(random, 6);
    const Found f = found(A);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(f.values(i), values(i), 2e-15) << "value " << i;
    expect_decomposed(A, f);
  }
}

TEST(SingularValues, that_are_equal_are_found_with_vectors_that_are_orthogonal) {
  RandomMatrices random(83);
  const Vector values{{2.0, 2.0, 2.0, 1.0, 1.0}};
  const Matrix A = orthogonal(random, 5) * values.asDiagonal() * orthogonal(random, 5);
  const Found f = found(A);
  EXPECT_LT((f.values - values).norm(), 1e-14);
  expect_decomposed(A, f);
}

TEST(SingularValues, of_dependent_rows_are_zeros_but_for_rounding) {
  RandomMatrices random(84);
  for (const int columns : {2, 6, 9}) {
    const Matrix A = random.matrix(6, 2) * random.matrix(2, columns);
    const Found f = found(A);
    for (Eigen::Index i = 2; i < f.values.size(); ++i) EXPECT_LT(f.values(i), 1e-15 * A.norm());
    expect_decomposed(A, f);
  }
  EXPECT_EQ(found(Matrix::Zero(3, 4)).values.norm(), 0.0);
}

}  // namespace
}  // namespace seam::lti
