// The strict FMUs with clocks: a lawful run leaves no line in the log, every broken rule one.
#include <gtest/gtest.h>

#include "fmus/fmu.hpp"
#include "fmus/strict_log.hpp"

namespace seam::fmus {
namespace {

class StrictClock : public testing::Test, protected StrictLog {
 protected:
  ~StrictClock() override { fmu.reset(); }

  void open(const std::string& name) {
    Opening opening;
    opening.event_mode = opening.early_return = true;
    fmu = open_fmu(3, name, opening);
    fmu->setup({0.0, 5.0});
    fmu->enter();
  }
  /// In the first Event Mode.
  void start(const std::string& name) {
    open(name);
    fmu->leave();
  }
  void update() {
    Discrete told;
    EXPECT_EQ(fmu->update(told), Result::ok);
  }
  void tick() {
    EXPECT_EQ(fmu->set_clock("tick", true), Result::ok);
    update();
  }
  void ask() {
    Fmu::Interval interval;
    EXPECT_EQ(fmu->get_interval("tick", interval), Result::ok);
  }

  std::unique_ptr<Fmu> fmu;
};

TEST_F(StrictClock, lawful_ticks_leave_no_line) {
  open("strict-clock");
  ask();
  fmu->leave();
  for (int n = 0; n < 5; ++n) {
    EXPECT_EQ(fmu->set_clock("tick", true), Result::ok);
    EXPECT_EQ(fmu->set("measurement", 0.5), Result::ok);
    (*fmu)["y"];
    update();
    EXPECT_EQ(fmu->leave_events(), Result::ok);
    EXPECT_EQ(fmu->step(n * 0.1, 0.04), Result::ok);
    EXPECT_EQ(fmu->step(n * 0.1 + 0.04, 0.06), Result::ok);
    EXPECT_EQ(fmu->enter_events(), Result::ok);
  }
  fmu->terminate();
  fmu->free();
  EXPECT_EQ(log(), "");
}

TEST_F(StrictClock, clocked_variables_are_there_in_initialization_mode) {
  open("strict-clock");
  EXPECT_EQ(fmu->set("measurement", 0.5), Result::ok);
  (*fmu)["y"];
  EXPECT_EQ(log(), "");
}

TEST_F(StrictClock, clocked_variables_are_not_read_between_ticks) {
  start("strict-clock");
  tick();
  double y = 0.0;
  EXPECT_EQ(fmu->get("y", y), Result::error);
  expect_line("\"y\" while its clock does not tick");
}

TEST_F(StrictClock, clocked_variables_are_not_set_between_ticks) {
  start("strict-clock");
  EXPECT_EQ(fmu->set("reference", 1.0), Result::error);
  expect_line("\"reference\" while its clock does not tick");
}

TEST_F(StrictClock, clocked_variables_are_not_set_in_step_mode) {
  start("strict-clock");
  tick();
  fmu->leave_events();
  EXPECT_EQ(fmu->set("reference", 1.0), Result::error);
  expect_line("\"reference\" while its clock does not tick");
}

TEST_F(StrictClock, clocks_are_set_in_event_mode_alone) {
  start("strict-clock");
  tick();
  fmu->leave_events();
  EXPECT_EQ(fmu->set_clock("tick", true), Result::error);
  expect_line("SetClock (instance): not allowed between steps");
}

TEST_F(StrictClock, a_tick_must_not_come_early) {
  start("strict-clock");
  tick();
  fmu->leave_events();
  fmu->step(0.0, 0.05);
  fmu->enter_events();
  EXPECT_EQ(fmu->set_clock("tick", true), Result::error);
  expect_line("\"tick\" ticks at 0.05 s, but is due at 0.1");
}

TEST_F(StrictClock, a_step_must_not_pass_a_tick) {
  start("strict-clock");
  tick();
  fmu->leave_events();
  EXPECT_EQ(fmu->step(0.0, 0.2), Result::error);
  expect_line("\"tick\" was due at 0.1 s");
}

TEST_F(StrictClock, a_tick_that_is_due_must_come) {
  start("strict-clock");
  update();
  EXPECT_EQ(fmu->leave_events(), Result::error);
  expect_line("\"tick\" is due and has not ticked");
}

TEST_F(StrictClock, a_tick_needs_an_update) {
  start("strict-clock");
  tick();
  fmu->leave_events();
  fmu->step(0.0, 0.1);
  fmu->enter_events();
  update();
  fmu->set_clock("tick", true);
  EXPECT_EQ(fmu->leave_events(), Result::error);
  expect_line("\"tick\" ticks, and discrete states were not updated");
}

TEST_F(StrictClock, a_periodic_clock_is_not_taken_back) {
  start("strict-clock");
  fmu->set_clock("tick", true);
  EXPECT_EQ(fmu->set_clock("tick", false), Result::error);
  expect_line("\"tick\" cannot be taken back");
}

TEST_F(StrictClock, a_constant_interval_is_neither_set_nor_asked_for_later) {
  open("strict-clock");
  EXPECT_EQ(fmu->set_interval("tick", 0.2), Result::error);
  expect_line("\"tick\" cannot be told when to tick");
  fmu->reset();
  start("strict-clock");
  Fmu::Interval interval;
  EXPECT_EQ(fmu->get_interval("tick", interval), Result::error);
  EXPECT_NE(log().find("\"tick\" does not change its interval"), std::string::npos) << log();
}

TEST_F(StrictClock, a_fixed_interval_is_told_in_initialization_mode_and_kept) {
  open("strict-clock-fixed");
  EXPECT_EQ(fmu->set_interval("tick", 0.5), Result::ok);
  EXPECT_EQ(fmu->set_shift("tick", 0.25), Result::ok);
  fmu->leave();
  update();
  EXPECT_EQ(fmu->leave_events(), Result::ok);
  EXPECT_EQ(fmu->step(0.0, 0.25), Result::ok);
  fmu->enter_events();
  tick();
  EXPECT_EQ(log(), "");
  EXPECT_EQ(fmu->set_interval("tick", 0.2), Result::error);
  expect_line("\"tick\" is fixed after initialisation");
}

TEST_F(StrictClock, a_tuned_interval_counts_from_the_last_tick) {
  open("strict-clock-tunable");
  ask();
  fmu->leave();
  tick();
  fmu->leave_events();
  fmu->step(0.0, 0.05);
  fmu->enter_events();
  EXPECT_EQ(fmu->set("period", 0.25), Result::ok);
  ask();
  update();
  fmu->leave_events();
  EXPECT_EQ(fmu->step(0.05, 0.2), Result::ok);
  fmu->enter_events();
  tick();
  EXPECT_EQ(log(), "");
}

TEST_F(StrictClock, a_changing_interval_is_asked_for_when_it_ticked_and_only_then) {
  start("strict-clock-changing");
  Fmu::Interval interval;
  EXPECT_EQ(fmu->get_interval("tick", interval), Result::error);
  expect_line("\"tick\" has not ticked since its interval was told");
  start("strict-clock-changing");
  update();
  fmu->leave_events();
  fmu->step(0.0, 0.1);
  fmu->enter_events();
  tick();
  EXPECT_EQ(fmu->leave_events(), Result::error);
  EXPECT_NE(log().find("the interval of \"tick\" was not asked for"), std::string::npos) << log();
}

TEST_F(StrictClock, aperiodic_clocks_have_no_shift) {
  open("strict-clock-changing");
  double shift = 0.0;
  EXPECT_EQ(fmu->get_shift("tick", shift), Result::error);
  expect_line("\"tick\" has no shift");
}

TEST_F(StrictClock, a_countdown_is_asked_for_in_every_event_mode) {
  open("strict-clock-countdown");
  ask();
  fmu->leave();
  fmu->set_bool("go", true);
  update();
  ask();
  EXPECT_EQ(fmu->leave_events(), Result::ok);
  EXPECT_EQ(fmu->step(0.0, 0.1), Result::ok);
  fmu->enter_events();
  tick();
  ask();
  EXPECT_EQ(fmu->leave_events(), Result::ok);
  EXPECT_EQ(fmu->step(0.1, 3.0), Result::ok) << "no countdown, no tick";
  fmu->enter_events();
  update();
  EXPECT_EQ(log(), "");
  EXPECT_EQ(fmu->leave_events(), Result::error);
  expect_line("the interval of \"tick\" was not asked for");
}

TEST_F(StrictClock, a_triggered_clock_may_tick_any_time_and_be_taken_back) {
  start("strict-counter");
  tick();
  tick();
  fmu->set_clock("tick", true);
  EXPECT_EQ(fmu->set_clock("tick", false), Result::ok);
  update();
  EXPECT_EQ(fmu->leave_events(), Result::ok);
  int total = 0;
  EXPECT_EQ(fmu->step(0.0, 0.1), Result::ok);
  EXPECT_EQ(fmu->get_int("total", total), Result::ok);
  EXPECT_EQ(total, 2);
  EXPECT_EQ(log(), "");
}

TEST_F(StrictClock, a_triggered_clock_has_no_interval) {
  open("strict-counter");
  Fmu::Interval interval;
  EXPECT_EQ(fmu->get_interval("tick", interval), Result::error);
  expect_line("\"tick\" has no times of its own");
}

}  // namespace
}  // namespace seam::fmus
