#include "seam/lti/exponential.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lti/random_matrices.hpp"
#include "seam/base/error.hpp"

namespace seam::lti {
namespace {

TEST(Exponential, rotation_is_sine_and_cosine) {
  Matrix M(2, 2);
  M << 0.0, 1.3, -1.3, 0.0;
  Matrix expected(2, 2);
  expected << std::cos(1.3), std::sin(1.3), -std::sin(1.3), std::cos(1.3);
  EXPECT_LT((exponential(M) - expected).cwiseAbs().maxCoeff(), 2e-15);
}

TEST(Exponential, nilpotent_matrix_gives_the_finite_series) {
  Matrix M(3, 3);
  M << 0, 2, 0, 0, 0, 3, 0, 0, 0;
  Matrix expected(3, 3);
  expected << 1, 2, 3, 0, 1, 3, 0, 0, 1;
  EXPECT_LT((exponential(M) - expected).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Exponential, stiff_oscillator_keeps_its_digits) {
  const double h = 1e-3;
  const double k = 1e7;
  const double w = std::sqrt(k);
  Matrix M(2, 2);
  M << 0.0, h, -k * h, 0.0;
  const Matrix E = exponential(M);
  EXPECT_NEAR(E(0, 0), std::cos(w * h), 1e-14);
  EXPECT_NEAR(E(0, 1), std::sin(w * h) / w, 1e-14 / w);
  EXPECT_NEAR(E(1, 0), -std::sin(w * h) * w, 1e-14 * w);
}

TEST(Exponential, of_the_negative_is_the_inverse) {
  RandomMatrices random(7);
  const Matrix M = 3.0 * random.matrix(6, 6);
  EXPECT_LT((exponential(M) * exponential(-M) - Matrix::Identity(6, 6)).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(Exponential, of_an_empty_matrix_is_empty) { EXPECT_EQ(exponential(Matrix(0, 0)).size(), 0); }

TEST(Exponential, not_a_number_is_an_internal_error) {
  Matrix M = Matrix::Zero(2, 2);
  M(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(exponential(M), base::Error);
}

}  // namespace
}  // namespace seam::lti
