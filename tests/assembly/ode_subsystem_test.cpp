#include "seam/assembly/ode_subsystem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "assembly/equations.hpp"
#include "seam/assembly/sampled_signal.hpp"
#include "seam/models/delay.hpp"

namespace seam::assembly {
namespace {

constexpr ode::Method methods[] = {ode::Method::euler, ode::Method::midpoint, ode::Method::rk4};

/// What one step h of x' = -x multiplies x by.
double factor(ode::Method method, double h) {
  switch (method) {
    case ode::Method::euler:
    case ode::Method::symplectic_euler:
      return 1 - h;
    case ode::Method::midpoint:
      return 1 - h + h * h / 2;
    case ode::Method::rk4:
      return 1 - h + h * h / 2 - h * h * h / 6 + h * h * h * h / 24;
  }
  return 0.0;
}

TEST(OdeSubsystem, crosses_a_step_in_whole_solver_steps_of_its_method) {
  for (const ode::Method method : methods) {
    OdeSubsystem subsystem(lag(), method);
    subsystem.initialise(0.0);
    const auto y = advance(subsystem, {0.0, 0.5}, {1.0}, 1);  // the deviation from the equilibrium 1 decays
    const double x = 1.0 + 2.0 * std::pow(factor(method, 0.1), 5);
    EXPECT_NEAR(subsystem.states()[0], x, 1e-14);
    EXPECT_NEAR(y[0], 2 * x + 0.5, 1e-14);
  }
}

TEST(OdeSubsystem, a_step_off_the_solver_grid_is_filled_with_equal_shorter_solver_steps) {
  OdeSubsystem subsystem(lag(), ode::Method::euler);
  subsystem.initialise(0.0);
  advance(subsystem, {0.0, 0.25}, {0.0}, 1);
  EXPECT_NEAR(subsystem.states()[0], 3.0 * std::pow(1 - 0.25 / 3, 3), 1e-14);
}

TEST(OdeSubsystem, symplectic_euler_moves_the_velocity_first) {
  OdeSubsystem subsystem(oscillator(), ode::Method::symplectic_euler);
  subsystem.initialise(0.0);
  const auto y = advance(subsystem, {0.0, 0.1}, {2.0}, 2);
  const double v = 0.5 + 0.1 * (-4.0 * 1.0 + 2.0);
  EXPECT_NEAR(y[1], v, 1e-15);
  EXPECT_NEAR(y[0], 1.0 + 0.1 * v, 1e-15);
}

TEST(OdeSubsystem, cvode_is_within_its_tolerance_of_the_solution) {
  OdeSubsystem subsystem(oscillator(), ode::CvodeTolerances{});
  subsystem.initialise(0.0);
  const auto y = advance(subsystem, {0.0, 1.0}, {0.0}, 2);
  EXPECT_NEAR(y[0], std::cos(2.0) + 0.25 * std::sin(2.0), 1e-6);
  EXPECT_NEAR(y[1], 0.5 * std::cos(2.0) - 2 * std::sin(2.0), 1e-6);
  EXPECT_FALSE(subsystem.capabilities().affine);
}

TEST(OdeSubsystem, euler_sees_a_ramp_at_the_begin_of_each_solver_step) {
  NativeModel model = linear({one(0), one(1), one(1), one(0)}, {0.0});
  OdeSubsystem subsystem(model, ode::Method::euler);
  subsystem.initialise(0.0);
  EXPECT_NEAR(advance(subsystem, {0.0, 0.5}, {1.0, 2.0}, 1)[0], 0.1 * (5 * 1.0 + 2.0 * (0 + 0.2 + 0.4 + 0.6 + 0.8)),
              1e-14);
}

TEST(OdeSubsystem, a_known_signal_is_read_at_every_solver_step_or_once_a_call) {
  NativeModel model = linear({one(0), one(1), one(1), one(0)}, {0.0});
  model.drives = {{0, formula([](double t) { return t; }), 3.0, 1.0}};
  OdeSubsystem following(model, ode::Method::euler);
  following.initialise(0.0);
  // The left sum of 1 + 3 t over [1, 1.5] in steps of 0.1.
  EXPECT_NEAR(advance(following, {1.0, 0.5}, {99.0}, 1)[0], 0.1 * (5 + 3 * (1.0 + 1.1 + 1.2 + 1.3 + 1.4)), 1e-14);
  model.reading = InputReading::stepped;
  OdeSubsystem stepped(model, ode::Method::euler);
  stepped.initialise(0.0);
  EXPECT_NEAR(advance(stepped, {1.0, 0.5}, {99.0}, 1)[0], 0.5 * 4.0, 1e-14);
  stepped.initialise(0.0);
  EXPECT_EQ(advance(stepped, {1.0, 0.5, Sources::silent}, {99.0}, 1)[0], 0.0);
}

TEST(OdeSubsystem, restore_goes_back_to_the_bit_with_every_solver) {
  const auto repeats = [](OdeSubsystem subsystem, const char* solver) {
    subsystem.initialise(0.0);
    advance(subsystem, {0.0, 0.1}, {1.0, 0.3}, 2);
    const Snapshot snapshot = subsystem.save();
    const auto first = advance(subsystem, {0.1, 0.1}, {1.3, -0.3}, 2);
    advance(subsystem, {0.2, 0.1}, {1.0, 0.9}, 2);
    subsystem.restore(snapshot);
    EXPECT_EQ(advance(subsystem, {0.1, 0.1}, {1.3, -0.3}, 2), first) << solver;
  };
  for (const ode::Method method : methods) repeats(OdeSubsystem(oscillator(), method), "fixed step");
  repeats(OdeSubsystem(oscillator(), ode::Method::symplectic_euler), "symplectic-euler");
  repeats(OdeSubsystem(oscillator(), ode::CvodeTolerances{}), "cvode");
}

TEST(OdeSubsystem, a_delay_cannot_take_a_shorter_step_and_comes_back_from_a_snapshot) {
  models::Model delay = models::delay({.time = 0.2, .solver_step = 0.1, .initial = 5.0, .unit = ""});
  NativeModel model;
  model.ode = std::shared_ptr<const ode::Ode>(std::move(delay.ode));
  model.x0 = delay.x0;
  model.solver_step = 0.1;
  OdeSubsystem subsystem(model, ode::Method::euler);
  EXPECT_FALSE(subsystem.capabilities().can_shorten);
  subsystem.initialise(0.0);
  EXPECT_EQ(advance(subsystem, {0.0, 0.1}, {1.0}, 1)[0], 5.0);
  const Snapshot snapshot = subsystem.save();
  EXPECT_EQ(advance(subsystem, {0.1, 0.1}, {2.0}, 1)[0], 1.0);
  EXPECT_EQ(advance(subsystem, {0.2, 0.1}, {3.0}, 1)[0], 2.0);
  subsystem.restore(snapshot);
  EXPECT_EQ(advance(subsystem, {0.1, 0.1}, {7.0}, 1)[0], 1.0);
  EXPECT_EQ(advance(subsystem, {0.2, 0.1}, {8.0}, 1)[0], 7.0);
}

TEST(SampledSignal, gives_the_value_at_the_end_of_the_step_and_nothing_while_silent) {
  SampledSignal source({formula([](double t) { return t * t; }), formula([](double) { return 7.0; })});
  std::vector<double> y(2);
  source.advance({1.0, 0.5, Sources::live}, {}, y);
  EXPECT_EQ(y, (std::vector<double>{2.25, 7.0}));
  source.evaluate(3.0, Sources::live, {}, y);
  EXPECT_EQ(y, (std::vector<double>{9.0, 7.0}));
  source.advance({1.0, 0.5, Sources::silent}, {}, y);
  EXPECT_EQ(y, (std::vector<double>{0.0, 0.0}));
}

}  // namespace
}  // namespace seam::assembly
