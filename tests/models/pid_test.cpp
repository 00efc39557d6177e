#include "seam/models/pid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "seam/ode/fixed_step.hpp"

namespace seam::models {
namespace {

/// A controller run with a constant error; the output at the end of `time`.
class Loop {
 public:
  explicit Loop(const Pid& parameters)
      : model_(pid(parameters)), solver_(*model_.ode, ode::Method::rk4), x_(model_.x0) {}

  double run(double error, double time, int steps) {
    const std::vector<double> u = {error + 2.0, 2.0};
    solver_.advance(0.0, time, steps, {{u.data(), 0, 2}, {}, 0.0, time}, x_);
    return output(error);
  }
  double output(double error) const {
    std::vector<double> y(1);
    model_.ode->outputs(0.0, x_, std::vector<double>{error + 2.0, 2.0}, y);
    return y[0];
  }
  const std::vector<double>& x() const { return x_; }

 private:
  Model model_;
  ode::FixedStepSolver solver_;
  std::vector<double> x_;
};

TEST(Pid, step_response_is_proportional_plus_ramp_plus_decaying_kick) {
  const double kp = 2.0, ki = 3.0, kd = 0.4, Tf = 0.05;
  Loop loop({kp, ki, kd, Tf});
  EXPECT_NEAR(loop.output(1.0), kp + kd / Tf, 1e-14);
  EXPECT_NEAR(loop.run(1.0, 0.2, 400), kp + ki * 0.2 + kd / Tf * std::exp(-0.2 / Tf), 1e-8);
}

TEST(Pid, without_limits_is_linear_and_with_a_limit_is_not) {
  EXPECT_EQ(pid({1.0, 1.0}).ode->nature(), ode::Ode::Nature::linear);
  Pid limited{1.0, 1.0};
  limited.high = 3.0;
  EXPECT_EQ(pid(limited).ode->nature(), ode::Ode::Nature::nonlinear);
}

TEST(Pid, without_derivative_part_needs_no_filter_state) { EXPECT_EQ(pid({1.0, 1.0}).ode->sizes().states, 1); }

TEST(Pid, limited_output_stays_between_the_limits) {
  Pid limited{10.0, 0.0};
  limited.low = -1.0;
  limited.high = 2.0;
  const Loop loop(limited);
  EXPECT_EQ(loop.output(5.0), 2.0);
  EXPECT_EQ(loop.output(-5.0), -1.0);
  EXPECT_NEAR(loop.output(0.1), 1.0, 1e-14);
}

TEST(Pid, integral_does_not_wind_up_at_the_limit) {
  Pid limited{0.5, 1.0};
  limited.low = -1.0;
  limited.high = 1.0;
  Loop loop(limited);
  EXPECT_EQ(loop.run(1.0, 10.0, 1000), 1.0);
  EXPECT_NEAR(loop.x()[0], 0.5, 0.02) << "it stops where kp e + I meets the limit";
  EXPECT_LT(loop.run(-1.0, 0.1, 10), 0.0) << "and the output leaves the limit at once";
}

TEST(Pid, integral_may_leave_the_limit_inwards) {
  Pid limited{10.0, 1.0};
  limited.high = 1.0;
  limited.low = -1.0;
  Loop loop(limited);
  loop.run(0.05, 10.0, 1000);
  const double wound = loop.x()[0];
  loop.run(-0.05, 1.0, 100);
  EXPECT_NEAR(loop.x()[0], wound - 0.05, 1e-9);
}

}  // namespace
}  // namespace seam::models
