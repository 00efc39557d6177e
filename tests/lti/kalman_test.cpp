#include "seam/lti/kalman.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "lti/random_matrices.hpp"
#include "seam/lti/discretise.hpp"
#include "seam/lti/eigenvalues.hpp"

namespace seam::lti {
namespace {

Matrix number(double value) { return Matrix::Constant(1, 1, value); }

// c^2 P^2 + (r (1 - a^2) - q c^2) P - q r = 0.
TEST(SteadyFilter, of_one_state_is_the_root_of_a_quadratic_equation) {
  for (const double a : {0.0, 0.5, 1.0, -1.0, 1.3, 20.0}) {
    for (const double r : {1e-8, 1e-3, 1.0, 1e4}) {
      const double c = -3.0, q = 0.02, half = 0.5 * (r * (1.0 - a * a) - q * c * c) / (c * c);
      const double expected = -half + std::sqrt(half * half + q * r / (c * c));
      const auto filter = steady_filter({number(a), number(c), number(q), number(r)});
      ASSERT_TRUE(filter) << a << " " << r;
      EXPECT_NEAR(filter->covariance(0, 0), expected, 1e-12 * (expected + std::abs(half))) << a << " " << r;
      EXPECT_NEAR(filter->gain(0, 0), expected * c / (c * c * expected + r), 1e-12) << a << " " << r;
    }
  }
}

/// Random, with the largest eigenvalue at `radius`.
FilterProblem random_problem(RandomMatrices& random, Eigen::Index n, Eigen::Index p, double radius) {
  FilterProblem problem{random.matrix(n, n), random.matrix(p, n), random.matrix(n, n), random.matrix(p, p)};
  problem.A *= radius / std::abs(eigenvalues(problem.A).front());
  problem.Q = (problem.Q * problem.Q.transpose()).eval();
  problem.R = (problem.R * problem.R.transpose() + 1e-3 * Matrix::Identity(p, p)).eval();
  return problem;
}

TEST(SteadyFilter, is_where_a_long_recursion_of_the_covariance_ends) {
  RandomMatrices random(3);
  for (int i = 0; i < 18; ++i) {
    const FilterProblem f = random_problem(random, 1 + i % 6, 1 + i % 3, 0.5 + 0.05 * i);
    Matrix P = f.Q;
    for (int k = 0; k < 300; ++k) {
      const Matrix K = P * f.C.transpose() * (f.C * P * f.C.transpose() + f.R).inverse();
      P = (f.A * (P - K * f.C * P) * f.A.transpose() + f.Q).eval();
      P = (0.5 * (P + P.transpose())).eval();
    }
    const auto filter = steady_filter(f);
    ASSERT_TRUE(filter) << i;
    EXPECT_LT((filter->covariance - P).norm(), 1e-9 * P.norm()) << i;
    const Matrix error = f.A - f.A * filter->gain * f.C;
    EXPECT_LT(spectral_radius(error), 1.0) << i;
  }
}

TEST(SteadyFilter, there_is_none_where_a_mode_that_does_not_decay_is_not_shown) {
  FilterProblem f{Matrix::Identity(2, 2), Matrix(1, 2), Matrix::Identity(2, 2), number(1.0)};
  f.C << 1.0, 0.0;
  for (const double hidden : {1.0, -1.0, 1.5}) {
    f.A(1, 1) = hidden;
    EXPECT_FALSE(steady_filter(f)) << hidden;
  }
  f.A(1, 1) = 0.5;
  EXPECT_TRUE(steady_filter(f));
}

TEST(SteadyFilter, without_outputs_nothing_is_learned) {
  const auto filter = steady_filter({number(0.5), Matrix(0, 1), number(3.0), Matrix(0, 0)});
  ASSERT_TRUE(filter);
  EXPECT_EQ(filter->gain.size(), 0);
  EXPECT_NEAR(filter->covariance(0, 0), 4.0, 1e-12);
}

/// The outputs at four instants for constant inputs, from rest.
Matrix answers(const StateSpace& system) {
  Matrix result(system.outputs(), 4 * system.inputs());
  for (int k = 0; k < 4; ++k)
    result.middleCols(k * system.inputs(), system.inputs()) =
        system.C * discretise(system, 0.3 * (k + 1), 0).G[0] + system.D;
  return result;
}

// Hidden states are driven by shown ones and by inputs, whatever the coordinates and their units.
TEST(ObservablePart, leaves_out_just_the_states_that_no_output_shows) {
  RandomMatrices random(5);
  for (int i = 0; i < 30; ++i) {
    const Eigen::Index seen = 1 + i % 4, hidden = i % 3, n = seen + hidden;
    StateSpace system{random.matrix(n, n), random.matrix(n, 2), random.matrix(1 + i % 2, n),
                      random.matrix(1 + i % 2, 2)};
    system.A.topRightCorner(seen, hidden).setZero();
    system.C.rightCols(hidden).setZero();
    Vector units(n);
    for (Eigen::Index s = 0; s < n; ++s) units(s) = std::pow(10.0, static_cast<double>((i + 3 * s) % 7) - 3.0);
    const Matrix T = random.matrix(n, n) + 2.0 * Matrix::Identity(n, n), to = units.asDiagonal() * T;
    const StateSpace other{to * system.A * to.inverse(), to * system.B, system.C * to.inverse(), system.D};
    const ObservablePart part = observable_part(other);
    ASSERT_EQ(part.system.states(), seen) << i;
    EXPECT_LT((answers(part.system) - answers(system)).cwiseAbs().maxCoeff(), 1e-9) << i;
    const Vector x = random.matrix(n, 1);
    const Vector shown = part.system.C * (part.to_part * to * x), expected = system.C * x;
    EXPECT_LT((shown - expected).norm(), 1e-9) << i;
  }
}

TEST(ObservablePart, is_empty_where_there_are_no_outputs_and_all_where_all_is_shown) {
  RandomMatrices random(6);
  const StateSpace blind{random.matrix(3, 3), random.matrix(3, 1), Matrix(0, 3), Matrix(0, 1)};
  EXPECT_EQ(observable_part(blind).system.states(), 0);
  StateSpace mass{Matrix::Zero(2, 2), Matrix::Zero(2, 1), Matrix::Zero(1, 2), Matrix::Zero(1, 1)};
  mass.A(0, 1) = 1.0;
  mass.C(0, 0) = 1.0;
  EXPECT_EQ(observable_part(mass).system.states(), 2) << "the displacement shows the velocity";
  mass.C << 0.0, 1.0;
  EXPECT_EQ(observable_part(mass).system.states(), 1) << "the velocity does not show the displacement";
}

}  // namespace
}  // namespace seam::lti
