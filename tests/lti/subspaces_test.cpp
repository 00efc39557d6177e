#include "seam/lti/subspaces.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lti/random_matrices.hpp"
#include "seam/lti/eigenvalues.hpp"

namespace seam::lti {
namespace {

double distance_from_orthonormal(const Matrix& Q) {
  return (Q.transpose() * Q - Matrix::Identity(Q.cols(), Q.cols())).cwiseAbs().maxCoeff();
}

/// An orthogonal matrix: a product of Householder reflections.
Matrix orthogonal(RandomMatrices& random, Eigen::Index n) {
  Matrix Q = Matrix::Identity(n, n);
  for (int i = 0; i < 3; ++i) {
    const Vector v = random.matrix(n, 1);
    Q -= 2.0 / v.squaredNorm() * (Q * v) * v.transpose();
  }
  return Q;
}

TEST(NullSpace, of_a_product_has_the_missing_rank) {
  RandomMatrices random(3);
  const Matrix M = random.matrix(6, 2) * random.matrix(2, 5);
  const Matrix N = null_space(M, 1e-12);
  ASSERT_EQ(N.cols(), 3);
  EXPECT_LT((M * N).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT(distance_from_orthonormal(N), 1e-14);
}

TEST(NullSpace, of_a_wide_matrix_contains_the_columns_beyond_its_rows) {
  RandomMatrices random(4);
  const Matrix M = random.matrix(2, 5);
  EXPECT_EQ(null_space(M, 1e-12).cols(), 3);
}

TEST(NullSpace, of_zero_is_everything_and_of_the_identity_nothing) {
  EXPECT_EQ(null_space(Matrix::Zero(3, 4), 1e-12).cols(), 4);
  EXPECT_EQ(null_space(Matrix::Identity(3, 3), 1e-12).cols(), 0);
  EXPECT_EQ(null_space(Matrix(0, 2), 1e-12).cols(), 2);
}

TEST(PseudoInverse, leaves_out_what_is_smaller_than_asked_for) {
  Matrix M = Matrix::Zero(2, 3);
  M(0, 1) = 2.0;
  M(1, 0) = -1e-5;
  Matrix expected = Matrix::Zero(3, 2);
  expected(1, 0) = 0.5;
  EXPECT_LT((pseudo_inverse(M, 1e-4) - expected).norm(), 1e-14);
  expected(0, 1) = -1e5;
  EXPECT_LT((pseudo_inverse(M, 1e-6) - expected).norm(), 1e-7);
  EXPECT_EQ(pseudo_inverse(M, 3.0), Matrix::Zero(3, 2));
  EXPECT_EQ(pseudo_inverse(Matrix::Zero(2, 1), 0.0), Matrix::Zero(1, 2));
}

TEST(OrthogonalComplement, completes_the_space) {
  RandomMatrices random(5);
  const Matrix basis = random.matrix(5, 2);
  const Matrix rest = orthogonal_complement(basis);
  ASSERT_EQ(rest.cols(), 3);
  EXPECT_LT((basis.transpose() * rest).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT(distance_from_orthonormal(rest), 1e-14);
}

TEST(OrthogonalComplement, of_nothing_is_everything) { EXPECT_EQ(orthogonal_complement(Matrix(3, 0)).cols(), 3); }

// A Jordan block of size 3 for the eigenvalue 1, a simple 1, and 0.5, 0.25, seen through an orthogonal change of basis.
class Staircase : public testing::Test {
 protected:
  void SetUp() override {
    RandomMatrices random(6);
    Matrix J = Matrix::Zero(6, 6);
    J.diagonal() << 1, 1, 1, 1, 0.5, 0.25;
    J(0, 1) = J(1, 2) = 1.0;
    J(2, 4) = 0.3;
    const Matrix Q = orthogonal(random, 6);
    M = Q * J * Q.transpose();
  }
  Matrix M;
};

TEST_F(Staircase, removes_a_jordan_block_as_a_whole) {
  double worst = 0.0;
  for (const auto& value : eigenvalues(M)) {
    if (std::abs(value) > 0.75) worst = std::max(worst, std::abs(value - 1.0));
  }
  ASSERT_GT(worst, 1e-7) << "without deflation the block splits up";
  const Deflation deflation = deflate(M, 1.0, 10, 1e-10);
  EXPECT_EQ(deflation.removed, 4);
  const auto rest = eigenvalues(deflation.remainder);
  ASSERT_EQ(rest.size(), 2u);
  EXPECT_NEAR(rest[0].real(), 0.5, 1e-13);
  EXPECT_NEAR(rest[1].real(), 0.25, 1e-13);
}

TEST_F(Staircase, chain_is_an_orthonormal_invariant_subspace) {
  const Deflation deflation = deflate(M, 1.0, 10, 1e-10);
  const Matrix& Q = deflation.chain;
  ASSERT_EQ(Q.cols(), 4);
  EXPECT_LT(distance_from_orthonormal(Q), 1e-13);
  EXPECT_LT((M * Q - Q * (Q.transpose() * M * Q)).cwiseAbs().maxCoeff(), 1e-13);
}

TEST_F(Staircase, stops_at_the_count_asked_for) {
  const Deflation deflation = deflate(M, 1.0, 1, 1e-10);
  EXPECT_EQ(deflation.removed, 1);
  EXPECT_EQ(deflation.remainder.rows(), 5);
}

TEST_F(Staircase, removes_nothing_if_the_eigenvalue_is_not_there) {
  const Deflation deflation = deflate(M, 2.0, 10, 1e-10);
  EXPECT_EQ(deflation.removed, 0);
  EXPECT_EQ((deflation.remainder - M).cwiseAbs().maxCoeff(), 0.0);
}

TEST(Deflation, of_the_identity_leaves_nothing) {
  const Deflation deflation = deflate(Matrix::Identity(3, 3), 1.0, 5, 1e-10);
  EXPECT_EQ(deflation.removed, 3);
  EXPECT_EQ(deflation.remainder.rows(), 0);
}

}  // namespace
}  // namespace seam::lti
