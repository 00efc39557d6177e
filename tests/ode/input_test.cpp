#include "seam/ode/input.hpp"

#include <gtest/gtest.h>

#include "ode/oscillator.hpp"

namespace seam::ode {
namespace {

TEST(InputPolynomials, evaluates_each_input_with_its_own_coefficients) {
  const std::array<double, 6> coefficients = {1.0, 10.0, 2.0, 20.0, 4.0, 40.0};
  const InputPolynomials polynomials{coefficients.data(), 2, 2};
  std::array<double, 2> u{};
  polynomials.at(0.5, u);
  EXPECT_EQ(u[0], 1.0 + 1.0 + 1.0);
  EXPECT_EQ(u[1], 30.0);
}

TEST(InputSignal, theta_runs_from_zero_to_one_over_the_step_and_beyond) {
  const std::array<double, 2> coefficients = {0.0, 1.0};
  const InputSignal input{{coefficients.data(), 1, 1}, {}, 2.0, 0.5};
  std::array<double, 1> u{};
  for (const double t : {1.5, 2.0, 2.25, 2.5, 3.0}) {
    input.at(t, Side::right, u);
    EXPECT_EQ(u[0], (t - 2.0) / 0.5);
  }
}

TEST(InputSignal, driven_input_replaces_its_polynomial_and_the_side_decides_at_a_jump) {
  const std::array<double, 2> coefficients = {7.0, 8.0};
  const Jump jump(1.0);
  const std::array<DrivenInput, 1> driven = {{{1, &jump, 3.0, 0.5}}};
  const InputSignal input{{coefficients.data(), 0, 2}, driven, 0.0, 1.0};
  std::array<double, 2> u{};
  input.at(1.0, Side::left, u);
  EXPECT_EQ(u[0], 7.0);
  EXPECT_EQ(u[1], 0.5);
  input.at(1.0, Side::right, u);
  EXPECT_EQ(u[1], 3.5);
}

}  // namespace
}  // namespace seam::ode
