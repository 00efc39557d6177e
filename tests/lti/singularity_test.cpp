#include "seam/lti/singularity.hpp"

#include <gtest/gtest.h>

namespace seam::lti {
namespace {

TEST(Singularity, identity_is_as_far_from_it_as_can_be) {
  EXPECT_EQ(reciprocal_condition(Matrix::Identity(5, 5)), 1.0);
}

TEST(Singularity, equal_rows_are_singular_and_the_directions_say_where) {
  Matrix A(3, 3);
  A << 1, -1, 0, -1, 1, 0, 0, 0, 2;
  EXPECT_LT(reciprocal_condition(A), 1e-15);
  const NullDirections directions = null_directions(A);
  EXPECT_NEAR(directions.participation(0), 1.0, 1e-12);
  EXPECT_NEAR(directions.participation(1), 1.0, 1e-12);
  EXPECT_NEAR(directions.participation(2), 0.0, 1e-12);
  EXPECT_LT((directions.left.transpose() * A).cwiseAbs().maxCoeff(), 1e-12 * directions.left.cwiseAbs().maxCoeff());
}

TEST(Singularity, units_do_not_matter) {
  Matrix A(2, 2);
  A << 1, -1e9, 5e-10, 1;  // determinant 1.5
  EXPECT_GT(reciprocal_condition(A), 0.01);
  A(1, 0) = -1e-9;  // determinant 0
  EXPECT_LT(reciprocal_condition(A), 1e-15);
  const NullDirections directions = null_directions(A);
  EXPECT_LT(std::abs(directions.left.dot(A.col(0))), 1e-12 * std::abs(directions.left(0)));
}

TEST(Singularity, a_ring_of_a_thousand_that_only_passes_on_has_all_in_its_null_direction) {
  constexpr int n = 1000;
  Matrix A = Matrix::Identity(n, n);
  for (int i = 0; i < n; ++i) A(i, (i + n - 1) % n) = -1.0;
  const NullDirections directions = null_directions(A);
  EXPECT_NEAR(directions.participation.minCoeff(), 1.0, 1e-9);
  EXPECT_NEAR(directions.left.minCoeff() / directions.left.maxCoeff(), 1.0, 1e-9);
}

TEST(Singularity, of_two_null_directions_both_are_seen) {
  Matrix A = Matrix::Zero(5, 5);
  A.topLeftCorner(2, 2) << 1, -1, -1, 1;
  A.block(2, 2, 2, 2) << 1, 2, 2, 4;
  A(4, 4) = 1.0;
  const NullDirections directions = null_directions(A);
  for (int i = 0; i < 4; ++i) EXPECT_GT(directions.participation(i), 0.01) << i;
  EXPECT_LT(directions.participation(4), 1e-12);
  EXPECT_LT((directions.left.transpose() * A).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Singularity, what_is_not_finite_is_singular) {
  Matrix A = Matrix::Identity(2, 2);
  A(0, 1) = INFINITY;
  EXPECT_EQ(reciprocal_condition(A), 0.0);
}

}  // namespace
}  // namespace seam::lti
