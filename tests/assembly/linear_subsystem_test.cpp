#include "seam/assembly/linear_subsystem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "assembly/equations.hpp"
#include "seam/assembly/ode_subsystem.hpp"
#include "seam/base/error.hpp"
#include "seam/models/blocks.hpp"
#include "seam/models/signals.hpp"

namespace seam::assembly {
namespace {

/// x(t) of x' = -x + t^power from 0.
double response(int power, double t) {
  if (power == 0) return 1 - std::exp(-t);
  if (power == 1) return t - 1 + std::exp(-t);
  return t * t - 2 * t + 2 - 2 * std::exp(-t);
}

TEST(LinearSubsystem, follows_polynomial_inputs_exactly) {
  const double h = 0.7;
  const std::vector<double> c = {1.5, -2.0, 4.0};
  for (int degree = 0; degree <= 2; ++degree) {
    LinearSubsystem subsystem(lag());
    subsystem.prepare({h, degree});
    subsystem.initialise(0.0);
    const std::vector<double> used(c.begin(), c.begin() + degree + 1);
    const auto y = advance(subsystem, {0.0, h}, used, 1);
    double x = 3.0 * std::exp(-h), end = 0.0;
    for (int j = 0; j <= degree; ++j) {
      x += used[static_cast<std::size_t>(j)] * response(j, h) / std::pow(h, j);
      end += used[static_cast<std::size_t>(j)];
    }
    EXPECT_NEAR(subsystem.states()[0], x, 1e-14) << degree;
    EXPECT_NEAR(y[0], 2 * x + 0.5 * end, 1e-14) << degree;
  }
}

TEST(LinearSubsystem, initialise_goes_back_to_the_start) {
  LinearSubsystem subsystem(lag());
  subsystem.prepare({0.1, 0});
  subsystem.initialise(0.0);
  advance(subsystem, {0.0, 0.1}, {1.0}, 1);
  EXPECT_NE(subsystem.states()[0], 3.0);
  subsystem.initialise(5.0);
  EXPECT_EQ(subsystem.states()[0], 3.0);
}

// A parabola is what a known signal is replaced by on every solver step, so it is followed without error.
TEST(LinearSubsystem, follows_a_known_parabola_exactly_and_adds_factor_and_offset) {
  NativeModel model = lag();
  model.drives = {{0, formula([](double t) { return t * t; }), 2.0, 1.0}};
  LinearSubsystem subsystem(model);
  subsystem.prepare({0.3, 0});
  subsystem.initialise(0.0);
  std::vector<double> y;
  for (int n = 0; n < 3; ++n) y = advance(subsystem, {0.3 * n, 0.3}, {99.0}, 1);
  const double x = 3 * std::exp(-0.9) + 2 * response(2, 0.9) + response(0, 0.9);
  EXPECT_NEAR(subsystem.states()[0], x, 1e-14);
  EXPECT_NEAR(y[0], 2 * x + 0.5 * (2 * 0.81 + 1), 1e-14);
}

TEST(LinearSubsystem, a_jump_between_two_solver_steps_is_seen_from_both_sides) {
  NativeModel model = lag();
  model.drives = {{0, std::make_shared<models::StepSignal>(models::Edge{0.2, 1e-9}, 1.0, -4.0), 1.0, 0.0}};
  LinearSubsystem subsystem(model);
  subsystem.prepare({0.5, 0});
  subsystem.initialise(0.0);
  advance(subsystem, {0.0, 0.5}, {0.0}, 1);
  const double at_jump = 3 * std::exp(-0.2) + response(0, 0.2);
  EXPECT_NEAR(subsystem.states()[0], at_jump * std::exp(-0.3) - 4 * response(0, 0.3), 1e-14);
}

TEST(LinearSubsystem, a_polynomial_beside_a_known_signal_is_followed_too) {
  lti::StateSpace system{one(-1), lti::Matrix::Ones(1, 2), one(1), lti::Matrix::Zero(1, 2)};
  NativeModel model = linear(system, {0.0});
  model.drives = {{1, formula([](double t) { return t; }), 1.0, 0.0}};
  LinearSubsystem subsystem(model);
  subsystem.prepare({0.4, 1});
  subsystem.initialise(0.0);
  const std::vector<double> c = {2.0, 0.0, 1.2, 0.0};  // u1 = 2 + 3 t over 0.4 s
  std::vector<double> y(1);
  subsystem.advance({0.0, 0.4}, {c.data(), 1, 2}, y);
  EXPECT_NEAR(y[0], 2 * response(0, 0.4) + 4 * response(1, 0.4), 1e-14);
}

TEST(LinearSubsystem, stepped_samples_a_known_signal_at_the_begin_and_keeps_it_for_the_output) {
  NativeModel model = lag();
  model.reading = InputReading::stepped;
  model.drives = {{0, formula([](double t) { return 10 * t; }), 1.0, 0.0}};
  LinearSubsystem subsystem(model);
  EXPECT_TRUE(subsystem.capabilities().wants_micro_steps);
  EXPECT_FALSE(subsystem.capabilities().takes_polynomials);
  subsystem.prepare({0.2, 0});
  subsystem.initialise(0.0);
  const auto y = advance(subsystem, {0.5, 0.2}, {99.0}, 1);
  const double x = 3 * std::exp(-0.2) + 5 * response(0, 0.2);
  EXPECT_NEAR(subsystem.states()[0], x, 1e-14);
  EXPECT_NEAR(y[0], 2 * x + 0.5 * 5, 1e-14);
}

TEST(LinearSubsystem, known_signals_are_zero_while_analysis_probes) {
  for (const InputReading reading : {InputReading::signal, InputReading::stepped}) {
    NativeModel model = lag();
    model.reading = reading;
    model.drives = {{0, formula([](double) { return 7.0; }), 1.0, 3.0}};
    LinearSubsystem subsystem(model);
    subsystem.prepare({0.2, 0});
    subsystem.initialise(0.0);
    const auto y = advance(subsystem, {0.0, 0.2, Sources::silent}, {99.0}, 1);
    EXPECT_NEAR(y[0], 2 * 3 * std::exp(-0.2), 1e-14);
  }
}

TEST(LinearSubsystem, without_states_the_output_is_that_of_the_input_at_the_end) {
  NativeModel gain = linear({lti::Matrix(0, 0), lti::Matrix(0, 1), lti::Matrix(1, 0), one(3)}, {});
  LinearSubsystem linear_one(gain);
  linear_one.prepare({0.1, 1});
  EXPECT_DOUBLE_EQ(advance(linear_one, {0.0, 0.1}, {1.0, 0.5}, 1)[0], 4.5);

  NativeModel limited;
  limited.ode = std::shared_ptr<const ode::Ode>(models::limiter(-1.0, 1.0, "").ode);
  LinearSubsystem nonlinear_one(limited);
  nonlinear_one.prepare({0.1, 1});
  EXPECT_EQ(advance(nonlinear_one, {0.0, 0.1}, {0.5, 0.25}, 1)[0], 0.75);
  EXPECT_EQ(advance(nonlinear_one, {0.0, 0.1}, {0.5, 2.0}, 1)[0], 1.0);
  EXPECT_FALSE(nonlinear_one.capabilities().affine);
}

TEST(LinearSubsystem, evaluate_gives_outputs_for_other_inputs_and_moves_nothing) {
  LinearSubsystem subsystem(lag());
  subsystem.initialise(0.0);
  const std::vector<double> u = {4.0};
  std::vector<double> y(1);
  subsystem.evaluate(0.0, Sources::live, u, y);
  EXPECT_EQ(y[0], 8.0);
  EXPECT_EQ(subsystem.states()[0], 3.0);
}

TEST(LinearSubsystem, by_a_fixed_step_solver_is_the_solver_step_by_step) {
  for (const auto method :
       {ode::Method::euler, ode::Method::midpoint, ode::Method::rk4, ode::Method::symplectic_euler}) {
    for (const double until : {0.35, 10.0}) {  // a known signal that changes within a step, and one that does not
      NativeModel model =
          linear({(lti::Matrix(2, 2) << 0, 1, -4, -0.3).finished(), (lti::Matrix(2, 2) << 0, 0.1, 1, 0.5).finished(),
                  lti::Matrix::Identity(2, 2), (lti::Matrix(2, 2) << 0, 0.2, 1, 0).finished()},
                 {1.0, 0.5}, {1, -1});
      model.solver_step = 0.02;
      model.drives = {{0, std::make_shared<models::StepSignal>(models::Edge{until, 1e-9}, 0.0, 1.0), 2.0, 0.5}};
      LinearSubsystem table(model, method);
      OdeSubsystem solver(model, method);
      for (Subsystem* subsystem : {static_cast<Subsystem*>(&table), static_cast<Subsystem*>(&solver)}) {
        subsystem->prepare({0.1, 2});
        subsystem->initialise(0.0);
      }
      for (int n = 0; n < 10; ++n) {
        const std::vector<double> c = {7.0, 1.0 - n, 8.0, -0.5, 9.0, 0.25};  // the first input follows its signal
        std::vector<double> expected(2), y(2);
        solver.advance({0.1 * n, 0.1}, {c.data(), 2, 2}, expected);
        table.advance({0.1 * n, 0.1}, {c.data(), 2, 2}, y);
        for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], expected[i], 1e-13);
      }
    }
  }
}

// Events that are shared cut steps at times that are not known before.
TEST(LinearSubsystem, steps_that_were_not_announced_are_the_same_as_announced_ones) {
  for (const Step step : {Step{0.0, 0.2}, Step{0.0, 0.1}, Step{0.3, 0.07}}) {
    for (const std::vector<double>& c : {std::vector<double>{1.5}, std::vector<double>{1.5, -0.5}}) {
      const int degree = static_cast<int>(c.size()) - 1;
      LinearSubsystem announced(lag()), surprised(lag());
      const StepFunction expected = announced.prepare({step.length, degree}), function = surprised.prepare({0.1, 0});
      std::vector<double> y(1), y_expected(1);
      expected.advance(step, {c.data(), degree, 1}, y_expected);
      function.advance(step, {c.data(), degree, 1}, y);
      EXPECT_EQ(y, y_expected) << step.length << " " << degree;
      EXPECT_EQ(surprised.states()[0], announced.states()[0]);
    }
  }
}

TEST(LinearSubsystem, restore_goes_back_to_the_bit) {
  LinearSubsystem subsystem(oscillator());
  subsystem.prepare({0.1, 1});
  subsystem.initialise(0.0);
  for (int n = 0; n < 3; ++n) advance(subsystem, {0.1 * n, 0.1}, {1.0, 0.3}, 2);
  const Snapshot snapshot = subsystem.save();
  const auto first = advance(subsystem, {0.3, 0.1}, {1.0, 0.7}, 2);
  advance(subsystem, {0.4, 0.1}, {1.0, 0.9}, 2);
  subsystem.restore(snapshot);
  EXPECT_EQ(advance(subsystem, {0.3, 0.1}, {1.0, 0.7}, 2), first);
  Snapshot foreign;
  foreign.flat = {1.0};
  EXPECT_THROW(subsystem.restore(foreign), base::Error);
}

}  // namespace
}  // namespace seam::assembly
