#include "seam/lti/discretise.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "lti/random_matrices.hpp"
#include "seam/base/error.hpp"
#include "seam/lti/exponential.hpp"

namespace seam::lti {
namespace {

StateSpace system_of(Matrix A, Matrix B) {
  const Eigen::Index n = A.rows();
  const Eigen::Index m = B.cols();
  return {std::move(A), std::move(B), Matrix::Identity(n, n), Matrix::Zero(n, m)};
}

// Ten-point Gauss-Legendre rule on [0, 1], on eight parts: exact to rounding for the systems here.
Matrix quadrature(const StateSpace& system, double h, int power) {
  constexpr std::array<double, 5> nodes = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                           0.8650633666889845, 0.9739065285171717};
  constexpr std::array<double, 5> weights = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                             0.1494513491505806, 0.0666713443086881};
  constexpr int parts = 8;
  Matrix sum = Matrix::Zero(system.A.rows(), system.B.cols());
  for (int part = 0; part < parts; ++part) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const double sign : {-1.0, 1.0}) {
        const double s = (part + 0.5 * (1.0 + sign * nodes[i])) / parts;
        sum += 0.5 * weights[i] / parts * std::pow(s, power) * exponential(system.A * h * (1.0 - s)) * system.B;
      }
    }
  }
  return h * sum;
}

TEST(Discretise, double_integrator_has_its_closed_form) {
  Matrix A(2, 2);
  A << 0, 1, 0, 0;
  Matrix B(2, 1);
  B << 0, 1;
  const double h = 0.3;
  const PolynomialStep step = discretise(system_of(A, B), h, 3);
  EXPECT_NEAR(step.Ad(0, 1), h, 1e-15);
  for (int j = 0; j <= 3; ++j) {
    // v = h integral s^j = h/(j+1); x = h² integral (1-s) s^j = h²/((j+1)(j+2)).
    EXPECT_NEAR(step.G[j](1, 0), h / (j + 1), 1e-15);
    EXPECT_NEAR(step.G[j](0, 0), h * h / ((j + 1) * (j + 2)), 1e-15);
  }
}

TEST(Discretise, scalar_system_has_its_closed_form) {
  const double a = -2.0;
  const double b = 5.0;
  const double h = 0.25;
  const double e = std::exp(a * h);
  const PolynomialStep step = discretise(system_of(Matrix::Constant(1, 1, a), Matrix::Constant(1, 1, b)), h, 1);
  EXPECT_NEAR(step.Ad(0, 0), e, 1e-15);
  EXPECT_NEAR(step.G[0](0, 0), b * (e - 1.0) / a, 1e-14);
  EXPECT_NEAR(step.G[1](0, 0), b * (e - 1.0 - a * h) / (a * a * h), 1e-14);
}

TEST(Discretise, oscillator_under_constant_force_has_its_closed_form) {
  const double w = 40.0;
  const double h = 0.05;
  Matrix A(2, 2);
  A << 0, 1, -w * w, 0;
  Matrix B(2, 1);
  B << 0, 1;
  const PolynomialStep step = discretise(system_of(A, B), h, 0);
  EXPECT_NEAR(step.G[0](0, 0), (1.0 - std::cos(w * h)) / (w * w), 1e-17);
  EXPECT_NEAR(step.G[0](1, 0), std::sin(w * h) / w, 1e-15);
}

TEST(Discretise, integrals_agree_with_quadrature_for_random_systems) {
  RandomMatrices random(1);
  for (const int n : {1, 3, 5}) {
    const StateSpace system = system_of(2.0 * random.matrix(n, n), random.matrix(n, 2));
    const PolynomialStep step = discretise(system, 0.7, 4);
    ASSERT_EQ(step.G.size(), 5u);
    for (int j = 0; j <= 4; ++j) {
      EXPECT_LT((step.G[j] - quadrature(system, 0.7, j)).cwiseAbs().maxCoeff(), 1e-13) << "n " << n << " power " << j;
    }
  }
}

TEST(Discretise, singular_matrix_agrees_with_quadrature) {
  RandomMatrices random(2);
  Matrix A = random.matrix(4, 4);
  A.col(3) = A.col(0) - A.col(1);
  const StateSpace system = system_of(A, random.matrix(4, 1));
  const PolynomialStep step = discretise(system, 1.1, 2);
  for (int j = 0; j <= 2; ++j) EXPECT_LT((step.G[j] - quadrature(system, 1.1, j)).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(Discretise, high_degree_stays_accurate) {
  const PolynomialStep step = discretise(system_of(Matrix::Zero(1, 1), Matrix::Ones(1, 1)), 1.0, 20);
  for (int j = 0; j <= 20; ++j) EXPECT_NEAR(step.G[j](0, 0), 1.0 / (j + 1), 1e-13) << j;
}

TEST(Discretise, huge_input_gain_does_not_disturb_the_state_matrix) {
  Matrix A(2, 2);
  A << 0, 1, -1, -0.1;
  Matrix B(2, 1);
  B << 0, 1e12;
  const PolynomialStep huge = discretise(system_of(A, B), 0.1, 1);
  const PolynomialStep small = discretise(system_of(A, 1e-12 * B), 0.1, 1);
  EXPECT_LT((huge.Ad - small.Ad).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((1e-12 * huge.G[1] - small.G[1]).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Discretise, system_without_inputs_or_states_is_fine) {
  const PolynomialStep step = discretise(system_of(Matrix::Ones(1, 1), Matrix(1, 0)), 1.0, 2);
  EXPECT_NEAR(step.Ad(0, 0), std::exp(1.0), 1e-15);
  ASSERT_EQ(step.G.size(), 3u);
  EXPECT_EQ(step.G[2].cols(), 0);
  EXPECT_EQ(discretise(system_of(Matrix(0, 0), Matrix(0, 2)), 1.0, 0).Ad.size(), 0);
}

TEST(Discretise, negative_degree_is_an_internal_error) {
  EXPECT_THROW(discretise(system_of(Matrix::Ones(1, 1), Matrix(1, 0)), 1.0, -1), base::Error);
}

}  // namespace
}  // namespace seam::lti
