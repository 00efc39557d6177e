#include "seam/lti/least_squares.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "lti/random_matrices.hpp"

namespace seam::lti {
namespace {

struct Solution {
  int rank;
  Matrix X;
};

Solution solution(const Matrix& A, const Matrix& B, double tolerance = 1e-10) {
  const Eigen::Index leading = std::max(A.rows(), A.cols()) + 3;  // room that is not to be touched
  Matrix left = Matrix::Constant(leading, A.cols(), 7.0), right = Matrix::Constant(leading, B.cols(), 7.0);
  left.topRows(A.rows()) = A;
  right.topRows(A.rows()) = B;
  LeastSquares solver(static_cast<int>(A.cols()));
  const int rank = solver.solve({left.data(), right.data(), static_cast<int>(A.rows()), static_cast<int>(A.cols()),
                                 static_cast<int>(B.cols()), static_cast<int>(leading)},
                                tolerance);
  EXPECT_TRUE((right.bottomRows(3).array() == 7.0).all());
  return {rank, right.topRows(A.cols())};
}

TEST(LeastSquares, are_those_of_a_known_factorisation_for_any_shape_and_rank) {
  RandomMatrices random(91);
  for (const int rows : {1, 2, 4, 6, 9, 30}) {
    for (const int columns : {1, 2, 3, 6, 8}) {
      for (int rank = 1; rank <= std::min(rows, columns); ++rank) {
        SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns) + ", rank " + std::to_string(rank));
        const Matrix A = random.matrix(rows, rank) * random.matrix(rank, columns), B = random.matrix(rows, 3);
        Eigen::CompleteOrthogonalDecomposition<Matrix> known;
        known.setThreshold(1e-10);
        known.compute(A);
        if (known.maxPivot() * 1e-4 > std::abs(known.matrixQTZ()(rank - 1, rank - 1))) continue;  // nearly of less
        const Solution found = solution(A, B);
        const Matrix expected = known.solve(B);
        EXPECT_EQ(found.rank, rank);
        EXPECT_LT((found.X - expected).norm(), 1e-9 * (1.0 + expected.norm()));
      }
    }
  }
}

TEST(LeastSquares, leave_a_rest_that_is_orthogonal_to_all_columns) {
  RandomMatrices random(92);
  const Matrix A = random.matrix(50, 4), B = random.matrix(50, 2);
  EXPECT_LT((A.transpose() * (A * solution(A, B).X - B)).norm(), 1e-12);
}

TEST(LeastSquares, count_pivots_by_the_tolerance) {
  const Matrix A = Vector{{1.0, 1e-3, 1e-8}}.asDiagonal(), B = Matrix::Ones(3, 1);
  EXPECT_EQ(solution(A, B, 1e-10).rank, 3);
  EXPECT_EQ(solution(A, B, 1e-6).rank, 2);
  EXPECT_EQ(solution(A, B, 1e-2).rank, 1);
  EXPECT_NEAR(solution(A, B, 1e-10).X(2), 1e8, 1e-4);
  EXPECT_EQ(solution(A, B, 1e-6).X(2), 0.0);
  EXPECT_EQ(solution(Matrix::Zero(3, 2), B).rank, 0);
  EXPECT_EQ(solution(Matrix::Zero(3, 2), B).X.norm(), 0.0);
}

}  // namespace
}  // namespace seam::lti
