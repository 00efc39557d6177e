// FMI 3 co-simulation FMUs whose events seam handles: event mode, early return, clocks, events that others see.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/event_workshop.hpp"
#include "seam/base/error.hpp"
#include "seam/engine/open/fmu_log.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

using stepping::Ending;

class FmuEvents : public EventWorkshop {};

/// The height of a ball that falls from 1 m and keeps 0.7 of its speed at each bounce.
double height_of_ball(double t) {
  constexpr double g = 9.81, e = 0.7;
  double v = std::sqrt(2.0 * g);
  double begin = v / g;  // of the flight after the first impact
  if (t <= begin) return 1.0 - 0.5 * g * t * t;
  for (v *= e; t > begin + 2.0 * v / g; v *= e) begin += 2.0 * v / g;
  const double flight = t - begin;
  return v * flight - 0.5 * g * flight * flight;
}

TEST_F(FmuEvents, ball_bounces_as_in_closed_form_whoever_handles_its_events) {
  for (const char* mode : {"always", "never"}) {
    for (const char* plan : {"step: 0.1", "step: 0.037", "step: 0.1, events: shared"}) {
      const auto table = table_of(
          system("  ball: " + part("bouncing-ball", fmt::format("event_mode: {}", mode)) + "\n", "", plan, 2.0));
      ASSERT_GT(table.rows(), 20u);
      for (std::size_t i = 0; i < table.rows(); ++i) {
        EXPECT_NEAR(column(table, "ball.h")[i], height_of_ball(table.columns[0][i]), 1e-9) << mode << " " << plan;
      }
    }
  }
}

// y = height · counter is discrete; whether others see it decides.
TEST_F(FmuEvents, discrete_ports_lead_to_event_mode_only_if_they_are_connected) {
  const auto says_event_mode = [&](const std::string& connections, const std::string& keys) {
    const std::string text = system(fmt::format("  s: {}\n  g: {{fmu: {}}}\n", part("stair", keys), fmu(3, "gain")),
                                    connections, "step: 0.1");
    const RunSummary summary = run_text(text);
    return std::ranges::any_of(summary.notices, [](const std::string& notice) {
      return notice.find("events in event mode") != std::string::npos;
    });
  };
  EXPECT_TRUE(says_event_mode("s.y -> g.u", ""));
  EXPECT_FALSE(says_event_mode("", ""));
  EXPECT_TRUE(says_event_mode("", "event_mode: always"));
}

/// The sampled system, tick by tick: e = r - x, I += ki T e, u = kp e + I, x := exp(-T) x + (1 - exp(-T)) u.
class SampledLoop {
 public:
  explicit SampledLoop(double period) : period_(period), decay_(std::exp(-period)) {}
  double y(double t) {
    while (ticks_ * period_ <= t + 1e-9) tick();
    const double since = t - (ticks_ - 1.0) * period_;
    return std::exp(-since) * state_ + (1.0 - std::exp(-since)) * u_;
  }
  double u() const { return u_; }

 private:
  void tick() {
    if (ticks_ > 0.0) state_ = decay_ * state_ + (1.0 - decay_) * u_;
    const double error = 1.0 - state_;
    integral_ += period_ * error;
    u_ = 2.0 * error + integral_;
    ticks_ += 1.0;
  }
  double period_, decay_, ticks_ = 0.0, state_ = 0.0, integral_ = 0.0, u_ = 0.0;
};

TEST_F(FmuEvents, controller_with_a_clock_and_a_plant_are_the_sampled_system) {
  for (const char* clock : {"strict-clock", "strict-clock-fixed", "strict-clock-tunable"}) {
    for (const char* plan : {"step: 0.1", "step: 0.05", "step: 0.02", "step: 0.02, coupling: foh"}) {
      const auto table = table_of(sampled_loop(part(clock), plan));
      SampledLoop exact(0.1);
      for (std::size_t i = 0; i < table.rows(); ++i) {
        EXPECT_NEAR(column(table, "p.y")[i], exact.y(table.columns[0][i]), 1e-12) << clock << " " << plan;
        EXPECT_NEAR(column(table, "c.y")[i], exact.u(), 1e-12) << clock << " " << plan;
      }
    }
  }
}

TEST_F(FmuEvents, shared_ticks_are_exact_on_any_grid) {
  for (const char* plan : {"step: 0.03, events: shared", "step: 0.07, events: shared", "step: 0.45, events: shared",
                           "step: 0.03, events: shared, coupling: soh"}) {
    const auto table = table_of(sampled_loop(part("strict-clock"), plan));
    SampledLoop exact(0.1);
    for (std::size_t i = 0; i < table.rows(); ++i) {
      EXPECT_NEAR(column(table, "p.y")[i], exact.y(table.columns[0][i]), 1e-12) << plan;
    }
  }
}

// A tick inside a step sees the measurement of the last communication point: late by at most a step.
TEST_F(FmuEvents, local_ticks_between_communication_points_are_close_and_all_there) {
  const auto table = table_of(sampled_loop(part("strict-clock"), "step: 0.03"));
  SampledLoop exact(0.1);
  double worst = 0.0;
  for (std::size_t i = 0; i < table.rows(); ++i)
    worst = std::max(worst, std::abs(column(table, "p.y")[i] - exact.y(table.columns[0][i])));
  EXPECT_LT(worst, 0.1);
  EXPECT_GT(worst, 1e-6);
}

TEST_F(FmuEvents, changing_clock_ticks_after_the_intervals_it_tells) {
  const auto table = table_of(sampled_loop(part("strict-clock-changing"), "step: 0.05"));
  const std::vector<double> y = column(table, "c.y");
  std::vector<double> ticks;
  for (std::size_t i = 1; i < y.size(); ++i) {
    if (y[i] != y[i - 1]) ticks.push_back(table.columns[0][i]);
  }
  const std::vector<double> expected = {0.1, 0.3, 0.4, 0.6, 0.7, 0.9, 1.0};
  ASSERT_EQ(ticks.size(), expected.size());
  for (std::size_t i = 0; i < ticks.size(); ++i) EXPECT_NEAR(ticks[i], expected[i], 1e-12);
}

// The relay's `on` starts the countdown of 0.1 s. Its input, 2.2 t, reaches 1 at t = 0.4545…; with local
// events the controller gets it at 0.5. Its y = 2 e + (time since the start) e shows when it ticked.
TEST_F(FmuEvents, countdown_starts_where_another_fmu_switches) {
  for (const auto& [plan, on, tick] :
       {std::tuple{"step: 0.1, coupling: foh", 0.5, 0.6},
        std::tuple{"step: 0.03, coupling: foh, events: shared", 1.0 / 2.2, 1.0 / 2.2 + 0.1}}) {
    const auto table = table_of(system(
        fmt::format("  two: {{model: constant, set: {{value: 2.2}}}}\n  x: {{model: state-space, set: {{A: [[0]], B: "
                    "[[1]], C: [[1]], D: [[0]]}}}}\n  r: {}\n  c: {}\n",
                    part("relay", "set: {low: 0, high: 1}"), part("strict-clock-countdown")),
        "two.y -> x.u, x.y -> r.u, r.on -> c.go", plan));
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const double t = table.columns[0][i];
      EXPECT_EQ(column(table, "r.on")[i], t > on - 1e-9 ? 1.0 : 0.0) << t << " " << plan;
      EXPECT_NEAR(column(table, "c.y")[i], t > tick - 1e-9 ? 2.0 + tick : 0.0, 1e-9) << t << " " << plan;
    }
  }
}

TEST_F(FmuEvents, two_clocked_fmus_tick_together_and_the_second_hears_what_the_first_says_then) {
  for (const char* plan : {"step: 0.25", "step: 0.05", "step: 0.3, events: shared", "step: 0.1, events: shared"}) {
    const auto table = table_of(system(fmt::format("  s: {}\n  n: {}\n", part("clock-source"), part("strict-counter")),
                                       "s.tick -> n.tick, s.number -> n.u", plan, 3.0));
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const double ticks = std::floor(table.columns[0][i] / 0.25 + 1e-9);
      EXPECT_EQ(column(table, "s.tick")[i], ticks) << plan;
      EXPECT_EQ(column(table, "n.count")[i], ticks) << plan;
      EXPECT_EQ(column(table, "n.sum")[i], 0.5 * ticks * (ticks + 1.0)) << plan;
      EXPECT_EQ(column(table, "n.total")[i], ticks) << plan;
    }
  }
}

// Clocks of the same period in two FMUs, the one's output the other's reference: no tick of delay between them.
TEST_F(FmuEvents, simultaneous_clocks_exchange_values_in_the_same_instant) {
  const auto table =
      table_of(system(fmt::format("  a: {}\n  b: {}\n", part("strict-clock"), part("strict-clock-fixed")),
                      "a.y -> b.reference", "step: 0.1", 0.5));
  double first = 0.0, second = 0.0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    first += 0.1;  // e = 1 all the time
    const double a = 2.0 + first;
    second += 0.1 * a;
    EXPECT_NEAR(column(table, "a.y")[i], a, 1e-12);
    EXPECT_NEAR(column(table, "b.y")[i], 2.0 * a + second, 1e-12);
  }
}

TEST_F(FmuEvents, ticks_that_come_together_are_said) {
  const RunSummary summary =
      run_text(system(fmt::format("  s: {}\n  n: {}\n", part("clock-source"), part("strict-counter")),
                      "s.tick -> n.tick, s.number -> n.u", "step: 1", 2.0));
  ASSERT_FALSE(summary.notices.empty());
  EXPECT_TRUE(std::any_of(summary.notices.begin(), summary.notices.end(), [](const std::string& notice) {
    return notice.find("6 ticks of its clocks came together with another") != std::string::npos;
  })) << fmt::format("{}", fmt::join(summary.notices, "\n"));
}

TEST_F(FmuEvents, events_of_every_kind_make_no_illegal_call) {
  const std::string a = part("strict-events", "set: {k: 2, x0: 0, limit: 0.5, period: 0.13, kick: 0.01, u: 1}");
  const std::string b = part("strict-events", "set: {k: 3, x0: 0}");
  const std::string stair = part("strict-stair");
  for (const char* plan : {"step: 0.1", "step: 0.1, events: shared", "step: 0.13", "step: 0.1, feedthrough: fresh",
                           "step: 0.1, coupling: foh"}) {
    const RunSummary summary =
        run_text(system(fmt::format("  a: {}\n  b: {}\n  s: {}\n", a, b, stair),
                        "a.y -> b.u, a.y -> b.d, a.counter -> b.mode, s.counter -> a.mode", plan));
    EXPECT_EQ(summary.result.ending, Ending::completed) << summary.complaint << plan;
    EXPECT_EQ(illegal_calls(), "") << plan;
    const auto table = result();
    EXPECT_EQ(column(table, "b.mode_out").back(), column(table, "a.counter").back()) << plan;
    EXPECT_EQ(column(table, "a.above").back(), 1.0) << plan;
    EXPECT_EQ(column(table, "a.counter").back(), 7.0) << plan;
  }
}

TEST_F(FmuEvents, two_parts_of_a_run_are_the_whole_to_the_bit) {
  const std::string text =
      system(fmt::format("  c: {}\n  p: {}\n  s: {}\n  n: {}\n", part("strict-clock-changing"), plant(),
                         part("strict-stair"), part("strict-events", "set: {period: 0.13, kick: 0.1}")),
             "c.y -> p.u, p.y -> c.measurement, s.counter -> n.mode, p.y -> n.u", "step: 0.05", 1.0);
  const auto whole = table_of(text);
  std::string half = text;
  half.replace(half.find("stop: 1"), 7, "stop: 0.5");
  RunSettings save, go_on;
  save.final_state = go_on.initial_state = folder_.file("s.state");
  EXPECT_EQ(run_text(half, save).result.ending, Ending::completed);
  EXPECT_EQ(run_text(text, go_on).result.ending, Ending::completed);
  const auto rest = result();
  ASSERT_EQ(rest.rows(), 11u);
  for (std::size_t c = 0; c < whole.columns.size(); ++c) {
    for (std::size_t i = 0; i < rest.rows(); ++i)
      EXPECT_EQ(rest.columns[c][i], whole.columns[c][10 + i]) << c << " " << i;
  }
}

TEST_F(FmuEvents, wish_to_end_in_an_event_is_granted) {
  const RunSummary summary = run_text(
      system("  a: " + part("strict-events", "event_mode: always, set: {terminate_at: 0.3, period: 0.05}") + "\n", "",
             "step: 0.1"));
  EXPECT_EQ(summary.result.ending, Ending::ended_by_subsystem);
  EXPECT_NE(summary.complaint.find("asked to end the run"), std::string::npos) << summary.complaint;
}

TEST_F(FmuEvents, state_of_a_run_with_event_mode_is_refused_without_it) {
  const auto with = [&](const char* mode) {
    return system("  b: " + part("bouncing-ball", fmt::format("event_mode: {}", mode)) + "\n", "", "step: 0.1");
  };
  RunSettings save, go_on;
  save.final_state = go_on.initial_state = folder_.file("s.state");
  run_text(with("always"), save);
  std::string later = with("never");
  later.replace(later.find("stop: 1"), 7, "stop: 2");
  EXPECT_ANY_THROW(run_text(later, go_on));
}

TEST_F(FmuEvents, step_size_is_the_macro_step_to_the_bit) {
  RunSettings settings;
  settings.fmu_logging = make_fmu_logging({FmuLogRequest::Calls::written, "", folder_.file("log.txt")});
  run_text(system("  b: " + part("bouncing-ball", "event_mode: always, set: {h0: 1000}") + "\n", "", "step: 0.1"),
           settings);
  const std::string log = formats::read_text(folder_.file("log.txt"));
  std::size_t steps = 0;
  for (std::size_t at = 0; (at = log.find("fmi3DoStep(", at)) != std::string::npos; ++at) {
    EXPECT_NE(log.substr(at, 80).find("h=0.1,"), std::string::npos) << log.substr(at, 80);
    ++steps;
  }
  EXPECT_EQ(steps, 10u);
}

TEST_F(FmuEvents, clock_that_nobody_ticks_is_a_problem) {
  EXPECT_NE(problems_of(system("  n: " + part("clocked-counter") + "\n", "", "step: 0.1"))
                .find("nothing ticks the clock \"n.tick\""),
            std::string::npos);
}

TEST_F(FmuEvents, clocks_and_values_do_not_mix) {
  const std::string both = fmt::format("  s: {}\n  n: {}\n", part("clock-source"), part("clocked-counter"));
  EXPECT_NE(problems_of(system(both, "s.number -> n.tick", "step: 0.1")).find("a clock ticks clocks"),
            std::string::npos);
  EXPECT_NE(problems_of(system(both, "s.tick -> n.tick, s.tick -> n.u", "step: 0.1")).find("a clock ticks clocks"),
            std::string::npos);
}

TEST_F(FmuEvents, what_an_fmu_cannot_do_about_events_is_a_problem) {
  const auto said = [&](const std::string& subsystem, const std::string& words, const std::string& plan = "step: 0.1") {
    const std::string text = problems_of(system("  a: " + subsystem + "\n", "", plan));
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  said(part("integrator", "event_mode: always"), "event_mode: always is not possible for \"a\"");
  said(part("clocked-controller", "event_mode: never"), "ticks in event mode");
  said(part("clocked-controller", "interface: me"), "clocks are driven for co-simulation alone");
  said(part("bouncing-ball", "event_mode: always, retries: 1"), "exclude each other");
  said(part("clocked-controller", "retries: 1"), "exclude each other");
  said(part("bouncing-ball", "event_mode: sometimes"), "event_mode");
  said(part("bouncing-ball"), "events", "step: 0.1, events: maybe");
}

}  // namespace
}  // namespace seam::engine
