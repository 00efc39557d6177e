#include "seam/ode/fixed_step.hpp"

#include <gtest/gtest.h>

#include <complex>

#include "ode/oscillator.hpp"

namespace seam::ode {
namespace {

using Complex = std::complex<double>;

struct Case {
  Method method;
  int order;
};

class ConvergenceOrder : public testing::TestWithParam<Case> {};

/// x'' + d x' + k x = sin(w t) from rest: steady part plus what cancels it at t = 0.
std::array<double, 2> forced(double k, double d, double w, double t) {
  const Complex i(0.0, 1.0);
  const Complex steady = 1.0 / (k - w * w + i * w * d);  // x = Im(steady e^{iwt})
  const double x0 = -steady.imag();
  const double v0 = -(i * w * steady).imag();
  const Complex lambda(-0.5 * d, std::sqrt(k - 0.25 * d * d));
  // x_free = Re(c e^{lambda t}) with Re c = x0 and Re(c lambda) = v0.
  const Complex c(x0, (x0 * lambda.real() - v0) / lambda.imag());
  const Complex free = c * std::exp(lambda * t);
  const Complex driven = steady * std::exp(i * w * t);
  return {free.real() + driven.imag(), (lambda * free).real() + (i * w * driven).imag()};
}

double driven_error(Method method, int steps) {
  const Oscillator ode(4.0, 0.3);
  const Sine sine(1.5);
  const std::array<DrivenInput, 1> driven = {{{0, &sine, 1.0, 0.0}}};
  FixedStepSolver solver(ode, method);
  std::vector<double> x = {0.0, 0.0};
  const int calls = 4;
  for (int n = 0; n < calls; ++n) {
    const InputSignal input{{&no_input, 0, 1}, driven, 0.5 * n, 0.5};
    solver.advance(0.5 * n, 0.5, steps, input, x);
  }
  const auto exact = forced(4.0, 0.3, 1.5, 2.0);
  return std::hypot(x[0] - exact[0], x[1] - exact[1]);
}

/// x'' = u(theta) with u = 1 + 2 theta + 3 theta² is integrated exactly by hand.
double polynomial_error(Method method, int steps) {
  const Oscillator ode(4.0, 0.0);
  const std::array<double, 3> coefficients = {1.0, 2.0, 3.0};
  FixedStepSolver solver(ode, method);
  std::vector<double> x = {0.0, 0.0};
  const double T = 2.0;
  solver.advance(10.0, T, steps, {{coefficients.data(), 2, 1}, {}, 10.0, T}, x);
  // Particular solution of x'' + 4 x = 1 + t + 0.75 t² (t = 2 theta): a + b t + c t², plus the free part that cancels
  // it.
  const double c = 0.75 / 4.0;
  const double b = 1.0 / 4.0;
  const double a = (1.0 - 2.0 * c) / 4.0;
  const double position = a + b * T + c * T * T - a * std::cos(2.0 * T) - 0.5 * b * std::sin(2.0 * T);
  const double velocity = b + 2.0 * c * T + 2.0 * a * std::sin(2.0 * T) - b * std::cos(2.0 * T);
  return std::hypot(x[0] - position, x[1] - velocity);
}

TEST_P(ConvergenceOrder, is_reached_with_a_driven_input) {
  const double ratio = driven_error(GetParam().method, 40) / driven_error(GetParam().method, 80);
  EXPECT_NEAR(std::log2(ratio), GetParam().order, 0.1);
}

TEST_P(ConvergenceOrder, is_reached_with_a_polynomial_input) {
  const double ratio = polynomial_error(GetParam().method, 160) / polynomial_error(GetParam().method, 320);
  EXPECT_NEAR(std::log2(ratio), GetParam().order, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Methods, ConvergenceOrder,
                         testing::Values(Case{Method::euler, 1}, Case{Method::midpoint, 2}, Case{Method::rk4, 4},
                                         Case{Method::symplectic_euler, 1}));

struct TableRow {
  double h;
  Method method;
  double q, qdot, tolerance;
};

/// The errors differ from the reference's digits by no more than its last one.
class ThesisTable21 : public testing::TestWithParam<TableRow> {};

TEST_P(ThesisTable21, errors_at_100_s_are_the_published_ones) {
  const TableRow row = GetParam();
  const Oscillator ode(1.0, 0.1);
  FixedStepSolver solver(ode, row.method);
  std::vector<double> x = {1.0, 1.0};
  const int steps = static_cast<int>(std::lround(100.0 / row.h));
  solver.advance(0.0, 100.0, steps, constant_input(no_input, 0.0, 100.0), x);
  const Complex lambda(-0.05, std::sqrt(1.0 - 0.0025));
  const Complex c(1.0, (1.0 * lambda.real() - 1.0) / lambda.imag());
  const Complex free = c * std::exp(lambda * 100.0);
  EXPECT_NEAR(std::abs(x[0] - free.real()), row.q, row.tolerance * row.q);
  EXPECT_NEAR(std::abs(x[1] - (lambda * free).real()), row.qdot, row.tolerance * row.qdot);
}

INSTANTIATE_TEST_SUITE_P(Rows, ThesisTable21,
                         testing::Values(TableRow{0.01, Method::euler, 1.401202e-03, 6.101947e-03, 4e-7},
                                         TableRow{0.005, Method::euler, 5.884276e-04, 2.679596e-03, 4e-7},
                                         TableRow{0.001, Method::euler, 1.026277e-04, 4.848383e-04, 6e-7},
                                         TableRow{0.01, Method::rk4, 7.667041e-11, 3.144970e-11, 1e-3},
                                         TableRow{0.005, Method::rk4, 4.783635e-12, 1.984709e-12, 1e-2}));

TEST(ThesisTable21, rk4_at_1_ms_is_down_to_rounding) {
  const Oscillator ode(1.0, 0.1);
  FixedStepSolver solver(ode, Method::rk4);
  std::vector<double> x = {1.0, 1.0};
  solver.advance(0.0, 100.0, 100000, constant_input(no_input, 0.0, 100.0), x);
  const Complex lambda(-0.05, std::sqrt(1.0 - 0.0025));
  const Complex free = Complex(1.0, (lambda.real() - 1.0) / lambda.imag()) * std::exp(lambda * 100.0);
  EXPECT_LT(std::abs(x[0] - free.real()), 2e-14);
  EXPECT_LT(std::abs(x[1] - (lambda * free).real()), 2e-14);
}

TEST(FixedStep, midpoint_multiplies_by_the_second_order_series) {
  const double h = 0.1, k = 4.0, d = 0.3;
  const Oscillator ode(k, d);
  FixedStepSolver solver(ode, Method::midpoint);
  std::vector<double> x = {0.8, -0.4};
  solver.advance(0.0, h, 1, constant_input(no_input, 0.0, h), x);
  // I + hA + h²A²/2 with A = [[0, 1], [-k, -d]], A² = [[-k, -d], [k d, d² - k]].
  EXPECT_NEAR(x[0], (1.0 - h * h * k / 2) * 0.8 + (h - h * h * d / 2) * -0.4, 1e-15);
  EXPECT_NEAR(x[1], (-h * k + h * h * k * d / 2) * 0.8 + (1 - h * d + h * h * (d * d - k) / 2) * -0.4, 1e-15);
}

TEST(FixedStep, symplectic_euler_moves_the_velocity_first) {
  const double h = 0.1;
  const Oscillator ode(4.0, 0.5);
  FixedStepSolver solver(ode, Method::symplectic_euler);
  std::vector<double> x = {1.0, 2.0};
  const double force = 3.0;
  solver.advance(0.0, h, 1, constant_input(force, 0.0, h), x);
  const double v = 2.0 + h * (-4.0 * 1.0 - 0.5 * 2.0 + 3.0);
  EXPECT_DOUBLE_EQ(x[1], v);
  EXPECT_DOUBLE_EQ(x[0], 1.0 + h * v);
}

TEST(FixedStep, symplectic_euler_of_a_first_order_system_is_euler) {
  class Decay : public Ode {
    Sizes sizes() const override { return {1, 0, 0}; }
    Nature nature() const override { return Nature::linear; }
    void derivatives(double, In x, In, Out dx) const override { dx[0] = -x[0]; }
    void outputs(double, In, In, Out) const override {}
    bool feeds_through(int, int) const override { return false; }
  };
  const Decay ode;
  FixedStepSolver solver(ode, Method::symplectic_euler);
  std::vector<double> x = {1.0};
  solver.advance(0.0, 1.0, 2, {}, x);
  EXPECT_EQ(x[0], 0.25);
}

TEST(FixedStep, jump_on_the_grid_belongs_to_the_step_that_begins_there) {
  const Oscillator ode(0.0, 0.0);
  const Jump jump(1.0);
  const std::array<DrivenInput, 1> driven = {{{0, &jump, 1.0, 0.0}}};
  FixedStepSolver solver(ode, Method::rk4);
  std::vector<double> x = {0.0, 0.0};
  solver.advance(0.0, 1.0, 4, {{&no_input, 0, 1}, driven, 0.0, 1.0}, x);
  EXPECT_EQ(x[1], 0.0) << "the last stage before the jump looks left";
  solver.advance(1.0, 1.0, 4, {{&no_input, 0, 1}, driven, 1.0, 1.0}, x);
  EXPECT_NEAR(x[1], 1.0, 1e-15);
  EXPECT_NEAR(x[0], 0.5, 1e-15);
}

TEST(FixedStep, part_of_a_polynomial_step_sees_its_part_of_the_signal) {
  const Oscillator ode(0.0, 0.0);
  const std::array<double, 2> ramp = {0.0, 1.0};
  FixedStepSolver solver(ode, Method::rk4);
  std::vector<double> x = {0.0, 0.0};
  const InputSignal input{{ramp.data(), 1, 1}, {}, 5.0, 2.0};
  solver.advance(6.0, 1.0, 1, input, x);
  EXPECT_NEAR(x[1], 0.75, 1e-15) << "mean of theta on [0.5, 1]";
}

TEST(FixedStep, late_times_do_not_disturb_the_polynomial) {
  const Oscillator ode(1.0, 0.1);
  const std::array<double, 3> coefficients = {1.0, -2.0, 5.0};
  std::vector<double> early = {1.0, 0.0};
  std::vector<double> late = early;
  FixedStepSolver solver(ode, Method::rk4);
  solver.advance(0.0, 1e-3, 5, {{coefficients.data(), 2, 1}, {}, 0.0, 1e-3}, early);
  solver.advance(1e6, 1e-3, 5, {{coefficients.data(), 2, 1}, {}, 1e6, 1e-3}, late);
  EXPECT_EQ(early, late);
}

/// Counts solver steps in a state and keeps the time and input it was last told.
class Counter : public Ode {
 public:
  Sizes sizes() const override { return {3, 1, 0}; }
  Nature nature() const override { return Nature::discrete; }
  void derivatives(double, In, In, Out dx) const override { dx[0] = dx[1] = dx[2] = 0.0; }
  void outputs(double, In, In, Out) const override {}
  bool feeds_through(int, int) const override { return false; }
  void after_step(double t, In u, Out x) const override {
    x[0] += 1.0;
    x[1] = t;
    x[2] = u[0];
  }
};

TEST(FixedStep, after_step_is_called_once_a_solver_step_with_the_input_at_its_begin) {
  const Counter ode;
  const std::array<double, 2> ramp = {0.0, 1.0};
  for (const Method method : {Method::euler, Method::midpoint, Method::rk4, Method::symplectic_euler}) {
    FixedStepSolver solver(ode, method);
    std::vector<double> x(3, 0.0);
    solver.advance(2.0, 0.7, 7, {{ramp.data(), 1, 1}, {}, 2.0, 0.7}, x);
    EXPECT_EQ(x[0], 7.0);
    EXPECT_NEAR(x[1], 2.6, 1e-15);
    EXPECT_NEAR(x[2], 6.0 / 7.0, 1e-15);
  }
}

}  // namespace
}  // namespace seam::ode
