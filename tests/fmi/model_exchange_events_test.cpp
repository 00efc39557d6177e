// Model exchange at events: of state, of time, of steps, of inputs; and how a run ends.
#include <cmath>

#include "fmi/exchanged_fmu.hpp"

namespace seam::fmi {
namespace {

class ExchangedEvents : public Exchanged {
 protected:
  static constexpr double g = 9.81;
  /// The ball falls from 1 m and bounces with half its speed until that is below 1 mm/s.
  static double ball(double t) {
    double speed = std::sqrt(2.0 * g), impact = speed / g;
    if (t < impact) return 1.0 - 0.5 * g * t * t;
    for (speed *= 0.5; speed >= 1e-3; speed *= 0.5) {
      const double since = t - impact;
      impact += 2.0 * speed / g;
      if (t < impact) return speed * since - 0.5 * g * since * since;
    }
    return 0.0;
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, ExchangedEvents, ::testing::Values(2, 3));

TEST_P(ExchangedEvents, ball_bounces_where_the_closed_form_says) {
  make();
  begin();
  double worst = 0.0;
  for (int n = 0; n < 200; ++n) {
    ASSERT_EQ(step(0.01 * n, 0.01), Outcome::accepted);
    worst = std::max(worst, std::abs(height() - ball(0.01 * (n + 1))));
  }
  EXPECT_LT(worst, 1e-6);
}

TEST_P(ExchangedEvents, several_bounces_inside_one_step_are_found) {
  make();
  begin();
  ASSERT_EQ(step(0.0, 1.2), Outcome::accepted);
  EXPECT_NEAR(height(), ball(1.2), 1e-6);
}

TEST_P(ExchangedEvents, time_events_happen_at_their_time_also_at_a_communication_point) {
  make();
  begin();
  EXPECT_EQ(count(), 0);
  ASSERT_EQ(step(0.0, 0.24), Outcome::accepted);
  EXPECT_EQ(count(), 0);
  ASSERT_EQ(step(0.24, 0.01), Outcome::accepted);
  EXPECT_EQ(count(), 1) << "the event at the end belongs to the step";
  ASSERT_EQ(step(0.25, 0.7), Outcome::accepted);
  EXPECT_EQ(count(), 3) << "several in one step";
}

TEST_P(ExchangedEvents, time_event_that_rounding_puts_behind_the_end_belongs_to_the_step) {
  make();
  begin();
  const double length = std::nextafter(0.25, 0.0);
  ASSERT_EQ(step(0.0, length), Outcome::accepted);
  EXPECT_EQ(count(), 1);
  ASSERT_EQ(step(length, 0.1), Outcome::accepted);
  EXPECT_NEAR(y(), std::exp(-0.35), 1e-7);
}

TEST_P(ExchangedEvents, input_that_jumps_is_seen_in_event_mode) {
  make();
  begin();
  run_to(0.1);
  EXPECT_FALSE(relay());
  input_ = 0.8;
  ASSERT_EQ(step(0.1, 0.01), Outcome::accepted);
  EXPECT_TRUE(relay());
  EXPECT_NE(remark().find("1 by jumps of inputs"), std::string::npos) << remark();
}

TEST_P(ExchangedEvents, input_that_crosses_a_threshold_inside_the_step_switches) {
  make();
  begin();
  const std::vector<double> up{0.0, 1.0}, down{1.0, -1.0}, up_and_down{0.0, 4.0, -4.0};
  ASSERT_EQ(step_.advance({0.0, 0.1, Sources::live}, {up.data(), 1, 1}, outputs_), Outcome::accepted);
  EXPECT_TRUE(relay());
  ASSERT_EQ(step_.advance({0.1, 0.1, Sources::live}, {down.data(), 1, 1}, outputs_), Outcome::accepted);
  EXPECT_FALSE(relay());
  EXPECT_EQ(remark().find(" 0 by indicators"), std::string::npos) << remark();
  EXPECT_NE(remark().find(" 0 by jumps of inputs"), std::string::npos) << remark();
  ASSERT_EQ(step_.advance({0.2, 0.1, Sources::live}, {up_and_down.data(), 2, 1}, outputs_), Outcome::accepted);
  EXPECT_FALSE(relay()) << "on and off again";
}

TEST_P(ExchangedEvents, discrete_inputs_are_set_in_event_mode) {
  make();
  give(3);
  begin();
  EXPECT_EQ(taken()[1].integer, 6);
  give(5);
  ASSERT_EQ(step(0.0, 0.01), Outcome::accepted);
  EXPECT_EQ(taken()[1].integer, 10);
  give(5);
  ASSERT_EQ(step(0.01, 0.01), Outcome::accepted);
  EXPECT_NE(remark().find("1 by jumps of inputs"), std::string::npos) << remark();
}

TEST_P(ExchangedEvents, step_of_the_integrator_may_ask_for_an_event) {
  make("asks");
  begin();
  ASSERT_EQ(step(0.0, 0.4), Outcome::accepted);
  EXPECT_EQ(count(), 101);
  EXPECT_NE(remark().find("1 on its wish"), std::string::npos) << remark();
}

TEST_P(ExchangedEvents, who_needs_no_completed_steps_is_not_told_of_any) {
  make("needs-no-completed-steps", completes_steps("false"));
  begin();
  ASSERT_EQ(step(0.0, 0.4), Outcome::accepted);
  EXPECT_NEAR(y(), std::exp(-0.4), 1e-7);
}

TEST_P(ExchangedEvents, wish_to_end_inside_a_step_breaks_it_off_with_the_time) {
  make("quits");
  begin();
  ASSERT_EQ(step(0.0, 0.55), Outcome::accepted);
  EXPECT_EQ(step(0.55, 0.3), Outcome::broke_off);
  EXPECT_NE(subsystem_->complaint().find("asked to end the run at 0."), std::string::npos) << subsystem_->complaint();
}

TEST_P(ExchangedEvents, wish_to_end_at_the_end_of_a_step_is_granted_there) {
  make("ends-at-its-second-count");
  begin();
  EXPECT_EQ(step(0.0, 0.5), Outcome::ended);
  EXPECT_NEAR(y(), std::exp(-0.5), 1e-7);
}

TEST_P(ExchangedEvents, event_without_an_end_is_an_error_that_names_fmu_function_and_time) {
  make("restless");
  const std::string said = failure_of([&] { begin(); });
  EXPECT_NE(said.find("restless (exchange1.fmu, FMI"), std::string::npos) << said;
  EXPECT_NE(said.find(GetParam() == 2 ? "fmi2NewDiscreteStates" : "fmi3UpdateDiscreteStates"), std::string::npos)
      << said;
  EXPECT_NE(said.find("at 0 s"), std::string::npos) << said;
}

TEST_P(ExchangedEvents, start_in_an_event_goes_on_from_what_it_made_of_the_states) {
  make();
  begin();
  subsystem_->states()[1] = -0.1;  // below the ground, falling
  subsystem_->states()[2] = -1.0;
  ASSERT_EQ(step(0.0, 0.05), Outcome::accepted);
  EXPECT_NEAR(height(), 0.5 * 0.05 - 0.5 * g * 0.05 * 0.05, 1e-7);
}

}  // namespace
}  // namespace seam::fmi
