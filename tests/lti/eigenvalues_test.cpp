#include "seam/lti/eigenvalues.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lti/random_matrices.hpp"
#include "seam/base/error.hpp"

namespace seam::lti {
namespace {

TEST(Eigenvalues, damped_oscillator_has_its_closed_form) {
  Matrix A(2, 2);
  A << 0, 1, -4, -0.4;
  const auto values = eigenvalues(A);
  ASSERT_EQ(values.size(), 2u);
  EXPECT_NEAR(values[0].real(), -0.2, 1e-14);
  EXPECT_NEAR(values[0].imag(), -std::sqrt(4.0 - 0.04), 1e-14);
  EXPECT_EQ(values[1], std::conj(values[0]));
}

TEST(Eigenvalues, come_by_falling_magnitude_then_rising_angle) {
  Matrix A = Matrix::Zero(5, 5);
  A.diagonal() << 0.5, -3.0, 3.0, 0.0, 0.0;
  A.bottomRightCorner(2, 2) << 0, 2, -2, 0;
  const auto values = eigenvalues(A);
  ASSERT_EQ(values.size(), 5u);
  EXPECT_EQ(values[0], 3.0);
  EXPECT_EQ(values[1], -3.0);
  EXPECT_LT(values[2].imag(), 0.0);
  EXPECT_GT(values[3].imag(), 0.0);
  EXPECT_EQ(values[4], 0.5);
}

TEST(Eigenvalues, stiffness_of_ten_million_costs_no_digits) {
  // Two masses of 1 kg, 1e7 N/m to ground at the first, 10 N/m to ground at the second, uncoupled but in one matrix.
  Matrix A = Matrix::Zero(4, 4);
  A(0, 1) = 1;
  A(1, 0) = -1e7;
  A(2, 3) = 1;
  A(3, 2) = -10;
  const auto values = eigenvalues(A);
  EXPECT_NEAR(std::abs(values[0]), std::sqrt(1e7), 1e-11);
  EXPECT_NEAR(std::abs(values[3]), std::sqrt(10.0), 1e-14);
  EXPECT_NEAR(values[3].real(), 0.0, 1e-14);
}

TEST(Eigenvalues, spectral_radius_of_a_rotation_is_one) {
  Matrix A(2, 2);
  A << std::cos(0.3), std::sin(0.3), -std::sin(0.3), std::cos(0.3);
  EXPECT_NEAR(spectral_radius(A), 1.0, 1e-15);
}

// Gomes and Legat (slides): Euler in both subsystems, H = 0.2 s, k1 = 5, k2 = 1.
TEST(Eigenvalues, published_radius_of_the_switched_system_comes_out) {
  Matrix A1(2, 2);
  A1 << 1.0, 0.04, -0.04, 1.0 - 0.004;
  // Each subsystem advances with its force held; y2 = ck (x2 - x1) + dk (v2 - v1) is fresh.
  Matrix power = Matrix::Identity(2, 2);
  Matrix G1 = Matrix::Zero(2, 1);
  Matrix B1(2, 1);
  B1 << 0.0, 0.04;
  for (int i = 0; i < 5; ++i) {
    G1 = (G1 + power * B1).eval();
    power = (power * A1).eval();
  }
  Matrix C(1, 2);
  C << 0.1, 1.0;
  // Subsystem 2 owns the spring: c2 + ck and d2 + dk act on its own states, x1 and v1 enter held.
  Matrix own(2, 2);
  own << 1.0, 0.2, -0.2 * 1.1, 1.0 - 0.2 * 1.1;
  Matrix G2(2, 2);
  G2 << 0.0, 0.0, 0.2 * 0.1, 0.2 * 1.0;
  Matrix M(4, 4);
  M << power - G1 * C, G1 * C, G2, own;
  EXPECT_NEAR(spectral_radius(M), 1.002317120986636, 1e-13);
}

/// A ring of cells that hear their neighbours, as coupled subsystems do.
Matrix ring(Eigen::Index cells, double reach, RandomMatrices& random) {
  constexpr Eigen::Index size = 4;
  Matrix M = Matrix::Zero(cells * size, cells * size);
  for (Eigen::Index i = 0; i < cells; ++i) {
    M.block(i * size, i * size, size, size) = random.matrix(size, size);
    for (const Eigen::Index other : {(i + 1) % cells, (i + cells - 1) % cells})
      M.block(i * size, other * size, size, size) = reach * random.matrix(size, size);
  }
  return M;
}

TEST(Eigenvalues, spectral_radius_of_a_large_sparse_matrix_is_that_of_all_its_eigenvalues) {
  RandomMatrices random(5);
  for (const double reach : {0.0, 0.05, 0.5}) {
    Matrix M = ring(80, reach, random);
    M.col(3) *= 1e6;  // another unit
    M.row(3) *= 1e-6;
    const double expected = std::abs(eigenvalues(M).front());
    EXPECT_NEAR(spectral_radius(M), expected, 1e-11 * expected) << reach;
  }
}

// Steps that are short beside all motions leave every eigenvalue near 1; shifted samples add chains of zeros.
TEST(Eigenvalues, spectral_radius_of_many_nearly_equal_eigenvalues_and_chains_of_zeros_is_found) {
  constexpr Eigen::Index n = 160;
  Matrix M = Matrix::Zero(2 * n, 2 * n);
  for (Eigen::Index i = 0; i < n; i += 2) {
    const double damping = 1e-4 * (1.0 + 0.37 * static_cast<double>(i % 7)),
                 angle = 1e-3 * (1.0 + 0.01 * static_cast<double>(i));
    M.block(i, i, 2, 2) << std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle);
    M.block(i, i, 2, 2) *= 1.0 - damping;
    M(n + i, i) = 1.0;
    M(n + i + 1, n + i) = 1.0;
  }
  EXPECT_NEAR(spectral_radius(M), 1.0 - 1e-4, 1e-12);
}

TEST(Eigenvalues, entries_that_repeat_others_do_not_change_the_spectral_radius) {
  RandomMatrices random(6);
  constexpr Eigen::Index n = 60;
  Matrix M = Matrix::Zero(2 * n, 2 * n);
  M.topRows(n) = random.matrix(n, 2 * n);
  for (Eigen::Index i = 0; i < n; ++i) M.row(n + i) = 0.7 * M.row((7 * i) % n);
  M.row(n + 3).setZero();
  const double expected = std::abs(eigenvalues(M).front());
  EXPECT_NEAR(spectral_radius(M), expected, 1e-12 * expected);
}

TEST(Eigenvalues, of_an_empty_matrix_are_none_and_its_radius_is_zero) {
  EXPECT_TRUE(eigenvalues(Matrix(0, 0)).empty());
  EXPECT_EQ(spectral_radius(Matrix(0, 0)), 0.0);
}

TEST(Eigenvalues, infinite_entry_is_an_internal_error) {
  Matrix A = Matrix::Identity(2, 2);
  A(1, 0) = std::numeric_limits<double>::infinity();
  try {
    eigenvalues(A);
    FAIL() << "no error";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.failure(), base::Failure::internal);
  }
}

TEST(Eigenvalues, rectangular_matrix_is_an_internal_error) {
  EXPECT_THROW(eigenvalues(Matrix::Zero(2, 3)), base::Error);
}

}  // namespace
}  // namespace seam::lti
