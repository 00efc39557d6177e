#include "seam/ode/event_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "seam/base/error.hpp"

namespace seam::ode {
namespace {

/// Equations given as functions.
struct Given final : HybridOde {
  int states = 1, crossings = 0;
  std::function<void(double, In, Out)> f = [](double, In, Out) {};
  std::function<void(double, In, Out)> z = [](double, In, Out) {};
  std::function<AfterStep(double)> after = [](double) { return AfterStep::go_on; };
  std::function<void(In, Out)> slope;
  Answer answer = Answer::given;
  int asked_for_slopes = 0;

  int state_count() const override { return states; }
  int indicator_count() const override { return crossings; }
  Answer derivatives(double t, In x, Out dx) override {
    f(t, x, dx);
    return answer;
  }
  Answer indicators(double t, In x, Out values) override {
    z(t, x, values);
    return answer;
  }
  AfterStep after_step(double t, In) override { return after(t); }
  Ode::JacobianSource jacobian_source() const override {
    return slope ? Ode::JacobianSource::analytic : Ode::JacobianSource::differences;
  }
  void jacobian(double, In x, Out rows) override {
    ++asked_for_slopes;
    slope(x, rows);
  }
};

Given falling_ball() {
  Given ball;
  ball.states = 2;
  ball.crossings = 1;
  ball.f = [](double, In x, Out dx) {
    dx[0] = x[1];
    dx[1] = -9.81;
  };
  ball.z = [](double, In x, Out z) { z[0] = x[0]; };
  return ball;
}

TEST(EventSolver, reaches_the_end_exactly_and_decays_as_the_exponential) {
  Given decay;
  decay.f = [](double, In x, Out dx) { dx[0] = -x[0]; };
  EventSolver solver(decay, 1e-8, std::vector{1.0});
  std::vector x{1.0};
  const Arrival arrival = solver.advance(0.1, 1.1, x);
  EXPECT_EQ(arrival.time, 1.1);
  EXPECT_EQ(arrival.reason, Arrival::Reason::end);
  EXPECT_NEAR(x[0], std::exp(-1.0), 1e-7);
  EXPECT_GT(solver.steps(), 5);
}

TEST(EventSolver, finds_the_time_at_which_a_ball_meets_the_ground) {
  Given ball = falling_ball();
  EventSolver solver(ball, 1e-8, std::vector{1.0, 1.0});
  std::vector x{1.0, 0.0};
  solver.mark(0.0, x);
  const Arrival arrival = solver.advance(0.0, 1.0, x);
  EXPECT_EQ(arrival.reason, Arrival::Reason::crossing);
  EXPECT_NEAR(arrival.time, std::sqrt(2.0 / 9.81), 1e-7);
  EXPECT_LE(x[0], 1e-12);
}

TEST(EventSolver, a_sign_that_differs_from_the_mark_is_an_event_before_any_step) {
  Given ball = falling_ball();
  EventSolver solver(ball, 1e-8, std::vector{1.0, 1.0});
  std::vector x{1.0, 0.0};
  solver.mark(0.0, x);
  x[0] = -1.0;
  const Arrival arrival = solver.advance(0.0, 1.0, x);
  EXPECT_EQ(arrival.reason, Arrival::Reason::crossing);
  EXPECT_EQ(arrival.time, 0.0);
}

TEST(EventSolver, an_indicator_that_leaves_zero_upwards_is_an_event) {
  Given ramp;
  ramp.crossings = 1;
  ramp.f = [](double, In, Out dx) { dx[0] = 1.0; };
  ramp.z = [](double, In x, Out z) { z[0] = x[0]; };
  EventSolver solver(ramp, 1e-6, std::vector{1.0});
  std::vector x{0.0};
  solver.mark(0.0, x);
  const Arrival arrival = solver.advance(0.0, 1.0, x);
  EXPECT_EQ(arrival.reason, Arrival::Reason::crossing);
  EXPECT_LT(arrival.time, 0.1);
}

TEST(EventSolver, indicators_of_time_alone_are_located_without_states) {
  Given clock;
  clock.states = 0;
  clock.crossings = 1;
  clock.z = [](double t, In, Out z) { z[0] = t - std::sqrt(0.5); };
  EventSolver solver(clock, 1e-6, {});
  std::vector<double> x;
  solver.mark(0.0, x);
  const Arrival arrival = solver.advance(0.0, 1.0, x);
  EXPECT_EQ(arrival.reason, Arrival::Reason::crossing);
  EXPECT_NEAR(arrival.time, std::sqrt(0.5), 1e-12);
}

TEST(EventSolver, stops_where_the_equations_ask_for_it) {
  Given decay;
  decay.f = [](double, In x, Out dx) { dx[0] = -x[0]; };
  decay.after = [](double t) { return t > 0.3 ? HybridOde::AfterStep::event : HybridOde::AfterStep::go_on; };
  EventSolver solver(decay, 1e-8, std::vector{1.0});
  std::vector x{1.0};
  const Arrival arrival = solver.advance(0.0, 1.0, x);
  EXPECT_EQ(arrival.reason, Arrival::Reason::asked);
  EXPECT_GT(arrival.time, 0.3);
  EXPECT_LT(arrival.time, 1.0);
  EXPECT_NEAR(x[0], std::exp(-arrival.time), 1e-7);
}

TEST(EventSolver, uses_slopes_that_are_given) {
  Given stiff;
  stiff.f = [](double t, In x, Out dx) { dx[0] = -1e6 * (x[0] - std::cos(t)); };
  stiff.slope = [](In, Out rows) { rows[0] = -1e6; };
  EventSolver solver(stiff, 1e-6, std::vector{1.0});
  std::vector x{0.0};
  solver.advance(0.0, 1.0, x);
  EXPECT_NEAR(x[0], std::cos(1.0), 1e-5);
  EXPECT_GT(stiff.asked_for_slopes, 0);
}

TEST(EventSolver, the_nominal_says_how_small_a_state_may_be_neglected) {
  const auto steps_with = [](double nominal) {
    Given swing;
    swing.states = 2;
    swing.f = [](double, In x, Out dx) {
      dx[0] = x[1];
      dx[1] = -100.0 * x[0];
    };
    EventSolver solver(swing, 1e-6, std::vector{nominal, nominal});
    std::vector x{1e-6, 0.0};
    solver.advance(0.0, 1.0, x);
    return solver.steps();
  };
  EXPECT_GT(steps_with(1e-6), 2 * steps_with(1.0));
}

TEST(EventSolver, goes_on_where_it_stopped_unless_it_is_told_to_forget) {
  enum class Way { going_on, forgetting };
  const auto steps_of = [](Way way) {
    Given decay;
    decay.f = [](double, In x, Out dx) { dx[0] = -x[0]; };
    EventSolver solver(decay, 1e-8, std::vector{1.0});
    std::vector x{1.0};
    for (int n = 0; n < 100; ++n) {
      if (way == Way::forgetting) solver.forget();
      EXPECT_EQ(solver.advance(0.01 * n, 0.01 * (n + 1), x).time, 0.01 * (n + 1));
    }
    EXPECT_NEAR(x[0], std::exp(-1.0), 1e-6);
    return solver.steps();
  };
  EXPECT_LT(2 * steps_of(Way::going_on), steps_of(Way::forgetting));
}

TEST(EventSolver, states_that_were_changed_are_taken_up) {
  Given decay;
  decay.f = [](double, In x, Out dx) { dx[0] = -x[0]; };
  EventSolver solver(decay, 1e-8, std::vector{1.0});
  std::vector x{1.0};
  solver.advance(0.0, 0.5, x);
  x[0] = 2.0;
  solver.advance(0.5, 1.0, x);
  EXPECT_NEAR(x[0], 2.0 * std::exp(-0.5), 1e-6);
}

TEST(EventSolver, an_end_that_differs_by_rounding_alone_is_reached_without_a_step) {
  Given decay;
  decay.f = [](double, In x, Out dx) { dx[0] = -x[0]; };
  EventSolver solver(decay, 1e-6, std::vector{1.0});
  std::vector x{1.0};
  const double end = std::nextafter(1.0, 2.0);
  EXPECT_EQ(solver.advance(1.0, end, x).time, end);
  EXPECT_EQ(solver.steps(), 0);
}

TEST(EventSolver, says_when_it_gives_up_and_why) {
  Given wall;
  wall.f = [](double, In, Out dx) { dx[0] = 1.0; };
  wall.answer = HybridOde::Answer::refused;
  EventSolver solver(wall, 1e-6, std::vector{1.0});
  std::vector x{1.0};
  try {
    solver.advance(0.0, 1.0, x);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("on the way to 1 s"), std::string::npos) << error.what();
  }
}

TEST(EventSolver, an_exception_of_the_equations_passes_through) {
  Given broken;
  broken.f = [](double, In, Out) { throw base::Error(base::Failure::subsystem, "broken"); };
  EventSolver solver(broken, 1e-6, std::vector{1.0});
  std::vector x{1.0};
  EXPECT_THROW(solver.advance(0.0, 1.0, x), base::Error);
}

}  // namespace
}  // namespace seam::ode
