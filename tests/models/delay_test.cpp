#include "seam/models/delay.hpp"

#include <gtest/gtest.h>

#include "seam/ode/fixed_step.hpp"

namespace seam::models {
namespace {

/// The output after n solver steps of 0.1 s under the input u(t) = t, which is 0 before the start.
double delayed_ramp(double time, int n) {
  const Model model = delay({time, 0.1, 0.0, ""});
  std::vector<double> x = model.x0;
  ode::FixedStepSolver solver(*model.ode, ode::Method::euler);
  for (int i = 0; i < n; ++i) {
    const std::vector<double> ramp = {0.1 * i, 0.1};
    solver.advance(0.1 * i, 0.1, 1, {{ramp.data(), 1, 1}, {}, 0.1 * i, 0.1}, x);
  }
  std::vector<double> y(1);
  model.ode->outputs(0.1 * n, x, std::vector<double>{0.1 * n}, y);
  return y[0];
}

TEST(Delay, whole_number_of_steps_gives_the_input_of_then) {
  EXPECT_NEAR(delayed_ramp(0.3, 10), 0.7, 1e-15);
  EXPECT_NEAR(delayed_ramp(0.1, 10), 0.9, 1e-15);
}

TEST(Delay, part_of_a_step_interpolates) {
  EXPECT_NEAR(delayed_ramp(0.37, 10), 1.0 - 0.37, 1e-15);
  EXPECT_NEAR(delayed_ramp(0.04, 10), 1.0 - 0.04, 1e-15);
}

TEST(Delay, of_zero_passes_the_input_on) {
  EXPECT_NEAR(delayed_ramp(0.0, 10), 1.0, 1e-15);
  EXPECT_EQ(delay({0.0, 0.1, 0.0, ""}).ode->sizes().states, 0);
}

TEST(Delay, gives_the_initial_value_until_the_past_is_known) {
  const Model model = delay({0.3, 0.1, 5.0, "m"});
  std::vector<double> x = model.x0;
  std::vector<double> y(1);
  ode::FixedStepSolver solver(*model.ode, ode::Method::rk4);
  const double input = 1.0;
  for (int n = 0; n < 6; ++n) {
    model.ode->outputs(0.1 * n, x, std::vector<double>{input}, y);
    EXPECT_EQ(y[0], n < 3 ? 5.0 : 1.0) << n;  // u(0) is the first value of the past
    solver.advance(0.1 * n, 0.1, 1, {{&input, 0, 1}, {}, 0.1 * n, 0.1}, x);
  }
  EXPECT_EQ(model.outputs[0].unit, "m");
}

TEST(Delay, feeds_through_only_if_shorter_than_a_step) {
  EXPECT_TRUE(delay({0.0, 0.1, 0.0, ""}).ode->feeds_through(0, 0));
  EXPECT_TRUE(delay({0.09, 0.1, 0.0, ""}).ode->feeds_through(0, 0));
  EXPECT_FALSE(delay({0.1, 0.1, 0.0, ""}).ode->feeds_through(0, 0));
  EXPECT_FALSE(delay({3 * 0.1, 0.1, 0.0, ""}).ode->feeds_through(0, 0));
}

TEST(Delay, multiple_up_to_rounding_is_a_multiple) { EXPECT_EQ(delay_states({3 * 0.1, 0.1, 0.0, ""}), 3.0); }

}  // namespace
}  // namespace seam::models
