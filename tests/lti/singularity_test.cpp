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

TEST(Singularity, what_is_not_finite_is_singular) {
  Matrix A = Matrix::Identity(2, 2);
  A(0, 1) = INFINITY;
  EXPECT_EQ(reciprocal_condition(A), 0.0);
}

}  // namespace
}  // namespace seam::lti
