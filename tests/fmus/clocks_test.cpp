// Clocks of FMI 3: ticked by the environment, announced by the FMU, and passed on from one FMU to another.
#include <gtest/gtest.h>

#include "fmus/fmu.hpp"

namespace seam::fmus {
namespace {

using Qualifier = Fmu::Qualifier;

std::unique_ptr<Fmu> open_clocked(const std::string& name, Opening::Interface interface) {
  Opening opening;
  opening.interface = interface;
  opening.event_mode = opening.early_return = interface == Opening::Interface::co_simulation;
  return open_fmu(3, name, opening);
}

std::unique_ptr<Fmu> open_clocked(const std::string& name) {
  return open_clocked(name, Opening::Interface::co_simulation);
}

/// The controller by hand.
struct Controller {
  double kp = 2.0, ki = 1.0, integral = 0.0;
  double tick(double error, double elapsed) {
    integral += ki * elapsed * error;
    return kp * error + integral;
  }
};

/// One tick in Event Mode; gives y.
double tick(Fmu& fmu, double measurement) {
  EXPECT_EQ(fmu.set_clock("tick", true), Result::ok);
  EXPECT_EQ(fmu.set("measurement", measurement), Result::ok);
  const double y = fmu["y"];
  Discrete told;
  EXPECT_EQ(fmu.update(told), Result::ok);
  EXPECT_FALSE(told.again);
  return y;
}

Fmu::Interval interval_of(Fmu& fmu) {
  Fmu::Interval interval;
  EXPECT_EQ(fmu.get_interval("tick", interval), Result::ok);
  return interval;
}

class Clocks : public testing::TestWithParam<Opening::Interface> {};
INSTANTIATE_TEST_SUITE_P(Fmi3, Clocks,
                         testing::Values(Opening::Interface::co_simulation, Opening::Interface::model_exchange));

TEST_P(Clocks, a_controller_computes_when_it_is_ticked) {
  auto fmu = open_clocked("clocked-controller", GetParam());
  fmu->setup({0.0, 1.0});
  fmu->enter();
  EXPECT_EQ(interval_of(*fmu).seconds, 0.1);
  double shift = -1.0;
  EXPECT_EQ(fmu->get_shift("tick", shift), Result::ok);
  EXPECT_EQ(shift, 0.0);
  fmu->leave();
  Controller controller;
  for (int n = 0; n < 5; ++n) {
    EXPECT_DOUBLE_EQ(tick(*fmu, 0.2 * n), controller.tick(1.0 - 0.2 * n, 0.1)) << n;
    bool active = true;
    EXPECT_EQ(fmu->get_clock("tick", active), Result::ok);
    EXPECT_FALSE(active) << "an update ends the tick";
    ASSERT_EQ(fmu->leave_events(), Result::ok);
    if (GetParam() == Opening::Interface::co_simulation) {
      ASSERT_EQ(fmu->step(n * 0.1, 0.1), Result::ok);
    } else {
      ASSERT_EQ(fmu->set_time((n + 1) * 0.1), Result::ok);
    }
    ASSERT_EQ(fmu->enter_events(), Result::ok);
  }
}

TEST(Clock, within_one_instant_inputs_may_be_set_again) {
  auto fmu = open_clocked("clocked-controller");
  fmu->start();
  fmu->set_clock("tick", true);
  fmu->set("measurement", 5.0);
  (*fmu)["y"];
  fmu->set("measurement", 0.0);
  EXPECT_DOUBLE_EQ((*fmu)["y"], 2.1) << "the integral has not taken two steps";
}

TEST(Clock, an_update_without_a_tick_computes_nothing) {
  auto fmu = open_clocked("clocked-controller");
  fmu->start();
  tick(*fmu, 0.0);
  Discrete told;
  fmu->update(told);
  EXPECT_DOUBLE_EQ(tick(*fmu, 0.0), 2.2) << "the second tick, not the third";
}

TEST(Clock, a_fixed_interval_is_told_in_initialization_mode) {
  auto fmu = open_clocked("clocked-controller-fixed");
  fmu->setup({0.0, 1.0});
  fmu->enter();
  EXPECT_EQ(fmu->set_interval("tick", 0.5), Result::ok);
  EXPECT_EQ(fmu->set_shift("tick", 0.25), Result::ok);
  EXPECT_EQ(interval_of(*fmu).seconds, 0.5);
  fmu->leave();
  EXPECT_DOUBLE_EQ(tick(*fmu, 0.0), 2.5);
  auto constant = open_clocked("clocked-controller");
  constant->setup({0.0, 1.0});
  constant->enter();
  EXPECT_EQ(constant->set_interval("tick", 0.5), Result::error);
}

TEST(Clock, a_tunable_interval_follows_its_parameter) {
  auto fmu = open_clocked("clocked-controller-tunable");
  fmu->set("period", 0.2);
  fmu->setup({0.0, 1.0});
  fmu->enter();
  EXPECT_EQ(interval_of(*fmu).seconds, 0.2);
  EXPECT_EQ(interval_of(*fmu).qualifier, Qualifier::unchanged) << "it was told before";
  fmu->leave();
  tick(*fmu, 0.0);
  fmu->set("period", 0.3);
  const Fmu::Interval now = interval_of(*fmu);
  EXPECT_EQ(now.seconds, 0.3);
  EXPECT_EQ(now.qualifier, Qualifier::changed);
}

TEST(Clock, a_changing_interval_is_known_after_each_tick) {
  auto fmu = open_clocked("clocked-controller-changing");
  fmu->setup({0.0, 1.0});
  fmu->enter();
  EXPECT_EQ(interval_of(*fmu).seconds, 0.1);
  fmu->leave();
  Discrete told;
  fmu->update(told);
  fmu->leave_events();
  Controller controller;
  double t = 0.0, wait = 0.1;
  for (int n = 0; n < 4; ++n) {
    ASSERT_EQ(fmu->step(t, wait), Result::ok);
    t += wait;
    fmu->enter_events();
    EXPECT_DOUBLE_EQ(tick(*fmu, 0.0), controller.tick(1.0, wait));
    const Fmu::Interval next = interval_of(*fmu);
    EXPECT_EQ(next.qualifier, Qualifier::changed);
    EXPECT_EQ(next.seconds, n % 2 == 0 ? 0.2 : 0.1);
    wait = next.seconds;
    fmu->leave_events();
  }
}

TEST(Clock, a_countdown_begins_when_it_is_told_to) {
  auto fmu = open_clocked("clocked-controller-countdown");
  fmu->start();
  EXPECT_EQ(interval_of(*fmu).qualifier, Qualifier::not_yet_known);
  fmu->set_bool("go", true);
  Discrete told;
  fmu->update(told);
  const Fmu::Interval known = interval_of(*fmu);
  EXPECT_EQ(known.qualifier, Qualifier::changed);
  EXPECT_EQ(known.seconds, 0.1);
  EXPECT_EQ(interval_of(*fmu).qualifier, Qualifier::unchanged);
  fmu->leave_events();
  fmu->step(0.0, 0.1);
  fmu->enter_events();
  EXPECT_DOUBLE_EQ(tick(*fmu, 0.0), 2.1);
  EXPECT_EQ(interval_of(*fmu).qualifier, Qualifier::not_yet_known) << "go stays true: no second countdown";
}

TEST(Clock, an_output_clock_drives_an_input_clock) {
  auto source = open_clocked("clock-source"), counter = open_clocked("clocked-counter");
  source->start();
  counter->start();
  std::vector<double> ticked;
  for (double t = 0.0; true;) {
    bool active = false;
    ASSERT_EQ(source->get_clock("tick", active), Result::ok);
    if (active) {
      ticked.push_back(t);
      counter->set_clock("tick", true);
      counter->set("u", (*source)["number"]);
      int count = 0;
      EXPECT_EQ(counter->get_int("count", count), Result::ok);
      EXPECT_EQ(count, static_cast<int>(ticked.size()));
    }
    Discrete told;
    source->update(told);
    EXPECT_TRUE(told.next_event.has_value());
    counter->update(told);
    source->leave_events();
    counter->leave_events();
    if (t >= 0.9) break;
    ASSERT_EQ(source->step(t, 0.9 - t), Result::ok);
    const double reached = source->last_time();
    ASSERT_EQ(counter->step(t, reached - t), Result::ok);
    t = reached;
    source->enter_events();
    counter->enter_events();
  }
  EXPECT_EQ(ticked, (std::vector<double>{0.25, 0.5, 0.75}));
  int total = 0;
  counter->get_int("total", total);
  EXPECT_EQ(total, 3);
  counter->enter_events();
  counter->set_clock("tick", true);
  EXPECT_EQ((*counter)["sum"], 6.0 + 3.0) << "1 + 2 + 3, and what u still is";
}

TEST(Clock, a_tick_can_be_taken_back) {
  auto fmu = open_clocked("clocked-counter");
  fmu->start();
  int count = -1;
  fmu->set_clock("tick", true);
  fmu->get_int("count", count);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(fmu->set_clock("tick", false), Result::ok);
  Discrete told;
  fmu->update(told);
  fmu->get_int("total", count);
  EXPECT_EQ(count, 0);
}

TEST(Clock, a_saved_state_knows_the_clocks) {
  auto fmu = open_clocked("clocked-controller-changing");
  fmu->start();
  Discrete told;
  fmu->update(told);
  fmu->leave_events();
  fmu->step(0.0, 0.1);
  fmu->enter_events();
  tick(*fmu, 0.0);
  void* state = nullptr;
  fmu->save(state);
  std::vector<char> bytes;
  fmu->write(state, bytes);
  auto other = open_clocked("clocked-controller-changing");
  void* copy = nullptr;
  ASSERT_EQ(other->read(bytes, copy), Result::ok);
  ASSERT_EQ(other->restore(copy), Result::ok);
  EXPECT_EQ(interval_of(*other).seconds, 0.2);
  fmu->forget(state);
  other->forget(copy);
}

TEST(Clock, needs_event_mode) {
  EXPECT_FALSE(open_fmu(3, "clocked-controller")->lives());
  EXPECT_TRUE(open_clocked("clocked-controller")->lives());
}

}  // namespace
}  // namespace seam::fmus
