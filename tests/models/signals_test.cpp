#include "seam/models/signals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "seam/models/mass_chain.hpp"
#include "seam/ode/fixed_step.hpp"

namespace seam::models {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double pi = std::numbers::pi;

/// Whatever a signal says to be steady is so, at every time that is asked, from both sides.
void expect_steady(const ode::TimeSignal& signal, double from, double to, double apart) {
  for (double t = from; t < to; t += apart) {
    const double until = signal.steady_until(t);
    for (double later = t; later < std::min(until, to); later += 0.37 * apart) {
      EXPECT_EQ(signal.at(later), signal.at(t)) << t << ' ' << later;
      if (later == t) continue;
      EXPECT_EQ(signal.before(later), signal.at(t)) << t << ' ' << later;
    }
  }
}

TEST(EverySignal, is_steady_for_as_long_as_it_says) {
  expect_steady(StepSignal({0.5, 1e-3}, -1.0, 3.0), 0.0, 1.0, 1e-4 * 7.0);
  expect_steady(*ImpulseSignal(2.0, 0.5).fitted(0.1), 0.0, 1.0, 1e-4 * 7.0);
  expect_steady(SineSignal({}), 0.0, 1.0, 0.01);
  EXPECT_EQ(StepSignal({0.5, 0.0}, -1.0, 3.0).steady_until(0.2), 0.5);
  EXPECT_EQ(StepSignal({0.5, 0.0}, -1.0, 3.0).steady_until(0.6), never);
  EXPECT_EQ(ImpulseSignal(2.0, 0.5).fitted(0.1)->steady_until(0.7), never);
  EXPECT_EQ(ConstantSignal(1.0).steady_until(0.0), never);
  EXPECT_EQ(SineSignal({}).steady_until(0.3), 0.3);
}

TEST(Step, jumps_at_its_time_seen_from_both_sides) {
  const StepSignal signal({2.0, 0.0}, -1.0, 3.0);
  EXPECT_EQ(signal.at(1.999), -1.0);
  EXPECT_EQ(signal.at(2.0), 3.0);
  EXPECT_EQ(signal.before(2.0), -1.0);
  EXPECT_EQ(signal.before(2.001), 3.0);
  EXPECT_EQ(signal.next_corner(1.0), 2.0);
  EXPECT_EQ(signal.next_corner(2.0), never);
}

TEST(Step, fitted_to_a_grid_forgives_the_rounding_of_grid_times) {
  const StepSignal exact({0.3, 0.0}, 0.0, 1.0);
  const double grid_time = 3 * 0.1;  // a little more than 0.3
  ASSERT_GT(grid_time, 0.3);
  EXPECT_EQ(exact.before(grid_time), 1.0) << "why fitting is needed";
  const auto fitted = exact.fitted(0.1);
  ASSERT_NE(fitted, nullptr);
  EXPECT_EQ(fitted->before(grid_time), 0.0);
  EXPECT_EQ(fitted->at(grid_time), 1.0);
  EXPECT_EQ(fitted->at(std::nextafter(0.3, 0.0)), 1.0);
  EXPECT_EQ(fitted->at(0.3 - 1e-9), 0.0);
}

TEST(Impulse, lasts_one_solver_step_and_keeps_its_area) {
  const ImpulseSignal impulse(2.0, 0.5);
  EXPECT_EQ(impulse.at(0.5), 0.0);
  EXPECT_EQ(impulse.next_corner(0.0), 0.5);
  const auto pulse = impulse.fitted(0.01);
  ASSERT_NE(pulse, nullptr);
  EXPECT_EQ(pulse->before(0.5), 0.0);
  EXPECT_EQ(pulse->at(0.5), 200.0);
  EXPECT_EQ(pulse->before(0.51), 200.0);
  EXPECT_EQ(pulse->at(0.51), 0.0);
  EXPECT_EQ(pulse->next_corner(0.0), 0.5);
  EXPECT_EQ(pulse->next_corner(0.5), 0.51);
  EXPECT_EQ(pulse->next_corner(0.51), never);
}

TEST(Impulse, gives_a_free_mass_exactly_its_momentum_with_every_method) {
  const Model mass = mass_chain({{4.0}, {}, {}, {0.0}, {0.0}, {0.0}, {0.0}, {}});
  for (const double h : {0.1, 0.01, 0.007}) {
    for (const auto method :
         {ode::Method::euler, ode::Method::midpoint, ode::Method::rk4, ode::Method::symplectic_euler}) {
      const auto pulse = ImpulseSignal(2.0, 3 * h).fitted(h);
      const std::vector<ode::DrivenInput> driven = {{0, pulse.get(), 1.0, 0.0}};
      const double none = 0.0;
      ode::FixedStepSolver solver(*mass.ode, method);
      std::vector<double> x = mass.x0;
      for (int n = 0; n < 8; ++n) solver.advance(n * h, h, 1, {{&none, 0, 1}, driven, n * h, h}, x);
      EXPECT_NEAR(x[1], 0.5, 1e-14) << "h " << h;
    }
  }
}

TEST(Sine, has_its_value_from_the_start_on_and_its_offset_before) {
  const SineSignal signal({2.0, 0.5, pi / 2, 10.0, 1.0});
  EXPECT_EQ(signal.at(0.5), 10.0);
  EXPECT_EQ(signal.before(1.0), 10.0);
  EXPECT_NEAR(signal.at(1.0), 12.0, 1e-15);
  EXPECT_NEAR(signal.at(2.0), 8.0, 1e-14);
  EXPECT_EQ(signal.next_corner(0.0), 1.0);
  EXPECT_EQ(signal.next_corner(1.0), never);
}

TEST(Chirp, follows_its_formula_and_goes_on_at_the_last_frequency) {
  const Chirp chirp{1.0, 10.0, 20.0, 3.0};
  const ChirpSignal signal(chirp);
  EXPECT_NEAR(signal.at(7.3), 3.0 * std::sin(2 * pi * (7.3 + 9.0 * 7.3 * 7.3 / 40.0)), 1e-12);
  const double turns = 20.0 + 9.0 * 20.0 / 2.0;
  EXPECT_NEAR(signal.at(20.0), 3.0 * std::sin(2 * pi * turns), 1e-11);
  EXPECT_NEAR(signal.at(20.01), 3.0 * std::sin(2 * pi * (turns + 0.1)), 1e-11);
  EXPECT_EQ(signal.next_corner(5.0), 20.0);
}

TEST(Chirp, phase_and_frequency_are_continuous_at_the_end_of_the_sweep) {
  const ChirpSignal signal({1.0, 4.0, 2.25, 1.0});
  const double h = 1e-6;
  const double slope_before = (signal.at(2.25) - signal.at(2.25 - h)) / h;
  const double slope_after = (signal.at(2.25 + h) - signal.at(2.25)) / h;
  EXPECT_NEAR(slope_before, slope_after, 1e-2);
}

TEST(Multisine, has_its_root_mean_square_over_its_period_and_low_peaks) {
  const MultisineSignal signal({2.0, 8.0, 3.0, 30});
  const double period = 2.0 * 30 / (8.0 - 2.0);
  constexpr int count = 20000;
  double squares = 0.0, peak = 0.0;
  for (int i = 0; i < count; ++i) {
    const double value = signal.at(period * i / count);
    squares += value * value;
    peak = std::max(peak, std::abs(value));
    if (i % 1000 == 0) {
      EXPECT_NEAR(signal.at(period * (1.0 + 1.0 * i / count)), value, 1e-11) << i;
    }
  }
  EXPECT_NEAR(std::sqrt(squares / count), 3.0, 1e-12);
  EXPECT_LT(peak, 2.0 * 3.0);  // equal phases: sqrt(2 * 30) = 7.7 times the root mean square
}

TEST(TableSignal, linear_one_has_corners_and_no_jumps) {
  const TableSignal signal({0.0, 1.0, 2.0}, {0.0, 10.0, 0.0}, Piecewise::Between::linear);
  EXPECT_EQ(signal.at(0.25), 2.5);
  EXPECT_EQ(signal.before(1.0), signal.at(1.0));
  EXPECT_EQ(signal.at(9.0), 0.0);
  EXPECT_EQ(signal.next_corner(-1.0), 0.0);
  EXPECT_EQ(signal.next_corner(0.0), 1.0);
  EXPECT_EQ(signal.next_corner(2.0), never);
  EXPECT_EQ(signal.fitted(0.1), nullptr);
}

TEST(TableSignal, held_one_jumps_at_its_times_and_forgives_rounding_when_fitted) {
  const TableSignal signal({0.0, 0.3}, {1.0, 2.0}, Piecewise::Between::hold);
  EXPECT_EQ(signal.before(0.3), 1.0);
  EXPECT_EQ(signal.at(0.3), 2.0);
  const auto fitted = signal.fitted(0.1);
  ASSERT_NE(fitted, nullptr);
  EXPECT_EQ(fitted->before(3 * 0.1), 1.0);
  EXPECT_EQ(fitted->at(3 * 0.1), 2.0);
  EXPECT_EQ(fitted->at(0.2999), 1.0);
}

// Two values at one time are the limits from both sides; around them the lines go on as they are.
TEST(TableSignal, two_values_at_one_time_are_a_jump_seen_from_both_sides) {
  const TableSignal signal({0.0, 0.3, 0.3, 1.3}, {0.0, 3.0, 10.0, 20.0}, Piecewise::Between::linear);
  EXPECT_NEAR(signal.at(0.2), 2.0, 1e-15);
  EXPECT_EQ(signal.before(0.3), 3.0);
  EXPECT_EQ(signal.at(0.3), 10.0);
  EXPECT_NEAR(signal.at(0.8), 15.0, 1e-14);
  EXPECT_EQ(signal.next_corner(0.0), 0.3);
  EXPECT_EQ(signal.next_corner(0.3), 1.3);
  const auto fitted = signal.fitted(0.1);
  ASSERT_NE(fitted, nullptr);
  EXPECT_EQ(fitted->before(3 * 0.1), 3.0);  // which is above 0.3
  EXPECT_EQ(fitted->at(0.1 + 0.1 + 0.1), 10.0);
  EXPECT_EQ(fitted->at(0.3 - 1e-12), 10.0);
}

TEST(TableSignal, jumps_at_the_ends_count_from_inside) {
  const TableSignal signal({0.0, 0.0, 1.0, 1.0}, {5.0, 1.0, 2.0, 7.0}, Piecewise::Between::linear);
  EXPECT_EQ(signal.at(-1.0), 5.0);
  EXPECT_EQ(signal.at(0.0), 1.0);
  EXPECT_EQ(signal.before(1.0), 2.0);
  EXPECT_EQ(signal.at(1.0), 7.0);
  EXPECT_EQ(signal.at(2.0), 7.0);
}

TEST(TableSignal, held_one_takes_the_last_of_several_values) {
  const TableSignal signal({0.0, 1.0, 1.0}, {1.0, 2.0, 3.0}, Piecewise::Between::hold);
  EXPECT_EQ(signal.before(1.0), 1.0);
  EXPECT_EQ(signal.at(1.0), 3.0);
}

TEST(Source, has_one_output_with_its_unit_and_no_equations) {
  const Model model = source(std::make_shared<ConstantSignal>(4.0), "N");
  EXPECT_EQ(model.ode, nullptr);
  ASSERT_EQ(model.signals.size(), 1u);
  EXPECT_EQ(model.signals[0]->at(123.0), 4.0);
  EXPECT_EQ(model.outputs[0].name, "y");
  EXPECT_EQ(model.outputs[0].unit, "N");
  EXPECT_FALSE(model.sampled);
}

}  // namespace
}  // namespace seam::models
