// FMUs that break the rules of steps: what is worked around, and what ends the run with a reason.
#include "fmi/living_instances.hpp"

namespace seam::fmi {
namespace {

using base::Outcome;

using Fmi2Rules = Unruly<Instance2>;

TEST_F(Fmi2Rules, step_that_is_pending_though_nobody_could_hear_of_its_end_is_an_error) {
  make_unruly("never-finishes");
  initialise();
  EXPECT_NE(failure_of([&] { instance_->do_step(0.0, 0.5); }).find("failed in fmi2DoStep (step 0 s -> 0.5 s)"),
            std::string::npos);
}

using Fmi3Rules = Unruly<Instance3>;

TEST_F(Fmi3Rules, early_return_nobody_allowed_is_stepped_on_to_the_end_and_noted_once) {
  make_unruly("stops-early", listening(Logging::on));
  initialise();
  calls_.clear();
  const StepResult result = instance_->do_step(0.0, 0.25);
  EXPECT_EQ(result.outcome, Outcome::accepted);
  EXPECT_DOUBLE_EQ(result.reached, 0.25);
  EXPECT_EQ(calls_,
            (std::vector<std::string>{
                "stops-early fmi3DoStep(t=0, h=0.25, noSetFMUStatePriorToCurrentPoint=true, earlyReturn=true, "
                "lastSuccessfulTime=0.1) -> OK",
                "stops-early fmi3DoStep(t=0.1, h=0.15, noSetFMUStatePriorToCurrentPoint=true, earlyReturn=true, "
                "lastSuccessfulTime=0.2) -> OK",
                "stops-early fmi3DoStep(t=0.2, h=0.04999999999999999, noSetFMUStatePriorToCurrentPoint=true) "
                "-> OK"}));
  instance_->do_step(0.25, 0.25);
  ASSERT_EQ(said_.size(), 1u);
  EXPECT_NE(said_[0].find("returned at 0.1 s from the step 0 s -> 0.25 s, which was not allowed"), std::string::npos);
}

TEST_F(Fmi3Rules, early_return_of_an_fmu_with_a_fixed_step_ends_the_run) {
  make_unruly("stops-early", Logging::on, "false");
  initialise();
  EXPECT_NE(failure_of([&] { instance_->do_step(0.0, 0.25); }).find("takes no step of another size"),
            std::string::npos);
}

TEST_F(Fmi3Rules, early_return_without_progress_ends_the_run) {
  make_unruly("is-stuck");
  initialise();
  EXPECT_NE(failure_of([&] { instance_->do_step(0.0, 0.25); }).find("does not get ahead"), std::string::npos);
  make_unruly("crawls");
  initialise();
  EXPECT_NE(failure_of([&] { instance_->do_step(0.0, 0.25); }).find("returned early 1000 times"), std::string::npos);
}

TEST_F(Fmi3Rules, event_nobody_can_handle_is_noted_once_and_the_step_counts) {
  make_unruly("has-events", listening(Logging::on));
  initialise();
  EXPECT_EQ(instance_->do_step(0.0, 0.5).outcome, Outcome::accepted);
  EXPECT_EQ(instance_->do_step(0.5, 0.5).outcome, Outcome::accepted);
  ASSERT_EQ(said_.size(), 1u);
  EXPECT_NE(said_[0].find("signalled an event at 0.5 s"), std::string::npos) << said_[0];
}

// FMI 3.0.2, 4.2.1: lastSuccessfulTime may differ without an early return; who steps decides what to say.
TEST_F(Fmi3Rules, time_that_was_reached_is_reported_as_it_is) {
  begin("bad-last-time");
  const StepResult result = instance_->do_step(0.0, 1.0);
  EXPECT_EQ(result.outcome, Outcome::accepted);
  EXPECT_EQ(result.reached, 0.5);
}

}  // namespace
}  // namespace seam::fmi
