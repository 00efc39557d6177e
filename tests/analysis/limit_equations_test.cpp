#include "seam/analysis/limit_equations.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <functional>

namespace seam::analysis {
namespace {

using lti::Matrix;
using lti::StateSpace;

StateSpace oscillator() {
  StateSpace system{Matrix(2, 2), Matrix(2, 1), Matrix(1, 2), Matrix::Constant(1, 1, 0.25)};
  system.A << 0, 1, -100, -1;
  system.B << 0, 1;
  system.C << 1, 0.1;
  return system;
}

/// The call of length h of a solver whose steps are x+ = P(h) x + Q(h) u, with states of its own choice.
StepMap call_of(const StateSpace& s, double h, const std::function<Matrix(const Matrix&)>& P) {
  const auto n = s.states();
  Matrix T(n, n);
  T << 1, h, -2, 1 + 3 * h;  // another one for every length
  const Matrix phi = P(h * s.A), gamma = s.A.inverse() * (phi - Matrix::Identity(n, n)) * s.B;
  const Matrix inverse = T.inverse();
  return {h, 0, {inverse * phi * T, inverse * gamma, s.C * phi * T, s.C * gamma + s.D}};
}

std::complex<double> transfer(const StateSpace& s, double w) {
  Eigen::MatrixXcd shifted = -s.A.cast<std::complex<double>>();
  shifted.diagonal().array() += std::complex<double>(0.0, w);
  return (s.C * shifted.partialPivLu().solve(s.B.cast<std::complex<double>>()))(0, 0) + s.D(0, 0);
}

LimitEquations limit_of(double longest, const std::function<Matrix(const Matrix&)>& P) {
  std::vector<StepMap> maps;
  for (const double part : {1.0, 0.5, 1.0 / 3.0}) maps.push_back(call_of(oscillator(), part * longest, P));
  return limit_equations(maps).value();
}

double error_at(const StateSpace& equations, double w) {
  return std::abs(transfer(equations, w) - transfer(oscillator(), w)) / std::abs(transfer(oscillator(), w));
}

Matrix euler(const Matrix& z) { return Matrix::Identity(2, 2) + z; }
Matrix implicit_euler(const Matrix& z) { return (Matrix::Identity(2, 2) - z).inverse(); }
Matrix rk4(const Matrix& z) { return Matrix::Identity(2, 2) + z + z * z / 2 + z * z * z / 6 + z * z * z * z / 24; }

TEST(LimitEquations, are_those_behind_euler_steps_without_what_the_solver_adds) {
  for (const auto& method : {euler, implicit_euler}) {
    const LimitEquations limit = limit_of(0.01, method);
    const auto behind = equations_behind(call_of(oscillator(), 0.01, method));
    ASSERT_TRUE(behind);
    for (const double w : {10.0, 30.0}) {
      EXPECT_LT(error_at(limit.at(0.0), w), 0.01 * error_at(*behind, w)) << w;
      EXPECT_LT(error_at(limit.at(0.0), w), 3e-3) << w;
    }
    EXPECT_LT(limit.unsure(), 0.01);
  }
}

// Terms up to h^2 are extrapolated away: eight times less with half the lengths.
TEST(LimitEquations, converge_with_the_third_power_of_the_lengths) {
  EXPECT_NEAR(std::log2(error_at(limit_of(0.02, euler).at(0.0), 10.0) / error_at(limit_of(0.01, euler).at(0.0), 10.0)),
              3.0, 0.3);
}

TEST(LimitEquations, of_steps_of_high_order_and_of_exact_ones_are_the_equations_at_once) {
  EXPECT_LT(error_at(limit_of(0.01, rk4).at(0.0), 10.0), 1e-5);
  const StateSpace s = oscillator();
  std::vector<StepMap> maps;
  for (const double h : {0.3, 0.15, 0.1}) maps.push_back(step_map(s, h, 0));
  const auto limit = limit_equations(maps);
  ASSERT_TRUE(limit);
  EXPECT_LT(error_at(limit->at(0.0), 10.0), 1e-9);
  EXPECT_LT(limit->unsure(), 1e-9);
}

TEST(LimitEquations, tell_those_of_shorter_calls_too) {
  const LimitEquations limit = limit_of(0.01, implicit_euler);
  const auto behind = equations_behind(call_of(oscillator(), 0.001, implicit_euler));
  ASSERT_TRUE(behind);
  const double added = (poles(*behind).front() - poles(oscillator()).front()).real();
  EXPECT_NEAR((poles(limit.at(0.001)).front() - poles(oscillator()).front()).real(), added, 0.1 * std::abs(added));
}

TEST(LimitEquations, need_as_many_states_at_every_length) {
  StepMap other = step_map(oscillator(), 0.1, 0);
  other.matrices = {Matrix::Constant(1, 1, 0.5), Matrix::Ones(1, 1), Matrix::Ones(1, 1), Matrix::Zero(1, 1)};
  EXPECT_FALSE(limit_equations({step_map(oscillator(), 0.3, 0), other}));
}

}  // namespace
}  // namespace seam::analysis
