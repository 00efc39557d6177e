// Events of co-simulations: handled inside a step, or left to the environment (FMI 3).
#include <gtest/gtest.h>

#include <cmath>

#include "fmus/ball.hpp"
#include "fmus/fmu.hpp"

namespace seam::fmus {
namespace {

class Events : public testing::TestWithParam<int> {
 protected:
  std::unique_ptr<Fmu> open(const std::string& name) { return open_fmu(GetParam(), name); }
};
INSTANTIATE_TEST_SUITE_P(Fmi, Events, testing::Values(2, 3));

TEST_P(Events, inside_a_step_the_ball_bounces_as_in_closed_form) {
  const Ball ball;
  for (const double step : {0.01, 0.37, 3.0}) {
    auto fmu = open("bouncing-ball");
    fmu->start({0.0, 3.0});
    for (int n = 0; (n + 1) * step <= 3.0; ++n) {
      ASSERT_EQ(fmu->step(n * step, step), Result::ok);
      const Ball::Point exact = ball.at((n + 1) * step);
      ASSERT_NEAR((*fmu)["h"], exact.h, 1e-12) << n;
      ASSERT_NEAR((*fmu)["v"], exact.v, 1e-11) << n;
    }
  }
}

TEST_P(Events, a_ball_without_loss_keeps_its_energy) {
  auto fmu = open("bouncing-ball");
  fmu->set("e", 1.0);
  fmu->start({0.0, 100.0});
  for (int n = 0; n < 100; ++n) ASSERT_EQ(fmu->step(n, 1.0), Result::ok);
  EXPECT_NEAR(9.81 * (*fmu)["h"] + 0.5 * (*fmu)["v"] * (*fmu)["v"], 9.81, 1e-9);
}

TEST_P(Events, the_stair_counts_inside_steps_that_miss_its_times) {
  auto fmu = open("stair");
  fmu->start({0.0, 10.0});
  for (int n = 0; n < 14; ++n) {
    ASSERT_EQ(fmu->step(n * 0.7, 0.7), Result::ok);
    EXPECT_EQ((*fmu)["y"], std::floor((n + 1) * 0.7 + 1e-9)) << n;
  }
}

TEST_P(Events, the_stair_counts_events_at_the_end_of_a_step) {
  auto fmu = open("stair");
  fmu->start({0.0, 10.0});
  for (int n = 0; n < 100; ++n) {
    ASSERT_EQ(fmu->step(n * 0.1, 0.1), Result::ok);
    EXPECT_EQ((*fmu)["y"], (n + 1) / 10) << n;
  }
}

TEST_P(Events, the_relay_switches_with_the_input_of_the_step) {
  auto fmu = open("relay");
  fmu->start();
  EXPECT_EQ((*fmu)["y"], 0.0);
  fmu->set("u", 0.7);
  fmu->step(0.0, 0.1);
  EXPECT_EQ((*fmu)["y"], 1.0);
  fmu->set("u", 0.0);
  fmu->step(0.1, 0.1);
  EXPECT_EQ((*fmu)["y"], 1.0);
  fmu->set("u", -0.5);
  fmu->step(0.2, 0.1);
  EXPECT_EQ((*fmu)["y"], 0.0);
}

TEST_P(Events, the_angle_stays_within_a_turn) {
  auto fmu = open("wrapped-angle");
  fmu->set("solver_step", 0.01);
  fmu->start({0.0, 10.0});
  fmu->set("speed", -3.0);
  for (int n = 0; n < 10; ++n) ASSERT_EQ(fmu->step(n, 1.0), Result::ok);
  EXPECT_NEAR((*fmu)["angle"], -30.0 + 10.0 * M_PI, 1e-12);
}

TEST_P(Events, the_fuse_ends_the_run_in_the_way_of_its_version) {
  auto fmu = open("fuse");
  fmu->set("solver_step", 0.01);
  fmu->start({0.0, 10.0});
  fmu->set("current", 2.0);
  ASSERT_EQ(fmu->step(0.0, 0.2), Result::ok);
  EXPECT_EQ(fmu->step(0.2, 0.2), GetParam() == 2 ? Result::discard : Result::ok);
  EXPECT_TRUE(fmu->wants_end());
  EXPECT_NEAR(fmu->last_time(), GetParam() == 2 ? 0.26 : 0.4, 1e-12);
}

TEST_P(Events, the_oscillator_repeats_with_its_period) {
  auto fmu = open("van-der-pol");
  fmu->set("solver_step", 0.001);
  fmu->start({0.0, 60.0});
  std::vector<double> crossings;
  double before = 0.0;
  for (int n = 0; n < 6000; ++n) {
    ASSERT_EQ(fmu->step(n * 0.01, 0.01), Result::ok);
    const double x = (*fmu)["x"];
    if (before < 0.0 && x >= 0.0) crossings.push_back((n - before / (x - before)) * 0.01);
    before = x;
  }
  ASSERT_GE(crossings.size(), 5u);
  EXPECT_NEAR(crossings[4] - crossings[3], 6.6632868593231301896996820305, 1e-5) << "known to many digits for mu = 1";
}

/// FMI 3 with event mode.
struct Reported {
  Reported(const std::string& name, bool early_return)
      : fmu(open_fmu(3, name, {Opening::Interface::co_simulation, true, early_return, {}, {}})) {}
  void start(Span span) {
    fmu->start(span);
    handle();
  }
  void handle() {
    do {
      ASSERT_EQ(fmu->update(told), Result::ok);
    } while (told.again);
    ASSERT_EQ(fmu->leave_events(), Result::ok);
  }
  /// All the way, with a stop at every event.
  void go(double from, double to) {
    for (double t = from; t < to;) {
      ASSERT_EQ(fmu->step(t, to - t), Result::ok);
      t = fmu->returned_early() ? fmu->last_time() : to;
      if (!fmu->wants_events()) continue;
      times.push_back(t);
      ASSERT_EQ(fmu->enter_events(), Result::ok);
      handle();
    }
  }
  std::unique_ptr<Fmu> fmu;
  Discrete told;
  std::vector<double> times;
};

TEST(EventMode, the_ball_returns_early_at_every_bounce) {
  Reported ball("bouncing-ball", true);
  ball.start({0.0, 3.0});
  for (int n = 0; n < 6; ++n) ball.go(n * 0.5, (n + 1) * 0.5);
  const std::vector<double> bounces = Ball().bounces();
  ASSERT_EQ(ball.times.size(), bounces.size());
  for (std::size_t i = 0; i < bounces.size(); ++i) EXPECT_NEAR(ball.times[i], bounces[i], 1e-12) << i;
  EXPECT_NEAR((*ball.fmu)["h"], 0.0, 1e-12);
}

TEST(EventMode, before_the_event_is_handled_the_ball_still_falls) {
  Reported ball("bouncing-ball", true);
  ball.start({0.0, 3.0});
  ASSERT_EQ(ball.fmu->step(0.0, 1.0), Result::ok);
  EXPECT_TRUE(ball.fmu->returned_early());
  EXPECT_TRUE(ball.fmu->wants_events());
  EXPECT_LT((*ball.fmu)["v"], 0.0);
  ball.fmu->enter_events();
  ball.handle();
  EXPECT_GT((*ball.fmu)["v"], 0.0);
}

TEST(EventMode, without_early_return_events_inside_a_step_are_handled_inside) {
  Reported ball("bouncing-ball", false);
  ball.start({0.0, 3.0});
  ASSERT_EQ(ball.fmu->step(0.0, 1.0), Result::ok);
  EXPECT_FALSE(ball.fmu->returned_early());
  EXPECT_FALSE(ball.fmu->wants_events());
  EXPECT_NEAR((*ball.fmu)["h"], Ball().at(1.0).h, 1e-12);
}

TEST(EventMode, without_event_mode_nothing_is_reported_even_if_steps_may_return_early) {
  auto fmu = open_fmu(3, "bouncing-ball", {Opening::Interface::co_simulation, false, true, {}, {}});
  fmu->start({0.0, 3.0});
  ASSERT_EQ(fmu->step(0.0, 1.0), Result::ok);
  EXPECT_FALSE(fmu->wants_events());
  EXPECT_FALSE(fmu->returned_early());
  EXPECT_NEAR((*fmu)["h"], Ball().at(1.0).h, 1e-12);
}

TEST(EventMode, the_stair_tells_its_next_event_and_stops_there) {
  Reported stair("stair", true);
  stair.start({0.0, 10.0});
  EXPECT_EQ(stair.told.next_event, 1.0);
  stair.go(0.0, 2.5);
  EXPECT_EQ(stair.times, (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(stair.told.next_event, 3.0);
  EXPECT_EQ((*stair.fmu)["y"], 2.0);
}

TEST(EventMode, an_event_at_the_end_of_a_step_is_no_early_return) {
  Reported stair("stair", true);
  stair.start({0.0, 10.0});
  for (int n = 0; n < 10; ++n) {
    ASSERT_EQ(stair.fmu->step(n * 0.1, 0.1), Result::ok);
    EXPECT_FALSE(stair.fmu->returned_early());
    EXPECT_EQ(stair.fmu->wants_events(), n == 9) << n;
  }
  EXPECT_EQ((*stair.fmu)["y"], 0.0) << "not handled yet";
  stair.fmu->enter_events();
  EXPECT_EQ((*stair.fmu)["y"], 1.0) << "discrete equations are active in Event Mode";
  stair.handle();
}

TEST(EventMode, an_input_event_comes_when_the_environment_says_so) {
  Reported relay("relay", true);
  relay.start({0.0, 1.0});
  relay.fmu->enter_events();
  relay.fmu->set("u", 1.0);
  EXPECT_EQ((*relay.fmu)["y"], 1.0) << "fresh in Event Mode";
  relay.handle();
  relay.go(0.0, 0.1);
  EXPECT_TRUE(relay.times.empty());
}

TEST(EventMode, a_jump_that_nobody_announced_is_an_event_at_the_begin_of_the_step) {
  Reported relay("relay", true);
  relay.start({0.0, 1.0});
  relay.go(0.0, 0.1);
  relay.fmu->set("u", 1.0);
  ASSERT_EQ(relay.fmu->step(0.1, 0.1), Result::ok);
  EXPECT_TRUE(relay.fmu->returned_early());
  EXPECT_TRUE(relay.fmu->wants_events());
  EXPECT_EQ(relay.fmu->last_time(), 0.1);
  relay.fmu->enter_events();
  relay.handle();
  EXPECT_EQ((*relay.fmu)["y"], 1.0);
}

TEST(EventMode, intermediate_inputs_switch_the_relay_where_they_cross) {
  Opening opening{Opening::Interface::co_simulation, true, true, {"u"}, {}};
  opening.update = [](Fmu& fmu, const Update& update) { fmu.set("u", update.time); };
  auto fmu = open_fmu(3, "relay", opening);
  fmu->start();
  Discrete told;
  fmu->update(told);
  fmu->leave_events();
  ASSERT_EQ(fmu->step(0.0, 1.0), Result::ok);
  EXPECT_TRUE(fmu->returned_early());
  EXPECT_NEAR(fmu->last_time(), 0.5, 1e-14);
}

TEST(EventMode, is_refused_where_it_is_not_offered) {
  EXPECT_FALSE(open_fmu(3, "gain", {Opening::Interface::co_simulation, true, false, {}, {}})->lives());
  auto fmu = open_fmu(3, "bouncing-ball");
  fmu->start({0.0, 3.0});
  EXPECT_EQ(fmu->enter_events(), Result::error) << "made without event mode";
}

TEST(EventMode, a_saved_state_knows_the_next_event) {
  Reported stair("stair", true);
  stair.start({0.0, 10.0});
  void* state = nullptr;
  stair.fmu->save(state);
  stair.go(0.0, 4.0);
  stair.fmu->restore(state);
  ASSERT_EQ(stair.fmu->step(0.0, 5.0), Result::ok);
  EXPECT_EQ(stair.fmu->last_time(), 1.0);
  stair.fmu->forget(state);
}

TEST(EventMode, the_relay_follows_derivatives_to_its_threshold) {
  auto fmu = open_fmu(2, "relay");
  fmu->start();
  fmu->set("u", 0.0);
  fmu->set_derivative("u", 1, 1.0);
  fmu->set_derivative("u", 2, -2.0);  // u = t - t², highest 0.25
  fmu->step(0.0, 0.5);
  EXPECT_EQ((*fmu)["y"], 0.0);
  fmu->set_derivative("u", 1, 1.0);
  fmu->step(0.5, 0.5);
  EXPECT_EQ((*fmu)["y"], 1.0);
}

}  // namespace
}  // namespace seam::fmus
