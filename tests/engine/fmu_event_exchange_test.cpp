// Events that several subsystems see: what is exchanged, who moves, and what holds make of it.
#include <algorithm>
#include <cmath>

#include "engine/event_workshop.hpp"
#include "seam/base/error.hpp"

namespace seam::engine {
namespace {

using stepping::Ending;

class EventExchange : public EventWorkshop {};

// A held input that passes a threshold at a communication point is an event where the step begins.
TEST_F(EventExchange, shared_event_at_the_begin_of_a_step_moves_nobody) {
  const auto table = table_of(system(fmt::format("  x: {}\n  r: {}\n", part("strict"),
                                                 part("relay", "set: {low: -0.25, high: 0.25, y_off: 1, y_on: -1}")),
                                     "r.y -> x.u, x.y -> r.u", "step: 0.1, events: shared", 3.0));
  EXPECT_EQ(illegal_calls(), "");
  const std::vector<double> y = column(table, "r.y");
  EXPECT_NE(std::count(y.begin(), y.end(), 1.0), 0);
  EXPECT_NE(std::count(y.begin(), y.end(), -1.0), 0);
}

TEST_F(EventExchange, events_at_the_end_of_micro_steps_are_handled) {
  for (const char* plan : {"step: 0.1, coupling: foh", "step: 0.1, coupling: foh, events: shared"}) {
    EXPECT_EQ(
        run_text(system(fmt::format("  one: {{model: constant, set: {{value: 1}}}}\n  x: {}\n  e: {}\n", integrator(),
                                    part("strict-events", "set: {k: 1, x0: 0, steps_to_event: 3}, event_mode: always")),
                        "one.y -> x.u, x.y -> e.u", plan, 0.5))
            .result.ending,
        Ending::completed);
    EXPECT_EQ(illegal_calls(), "") << plan;
  }
}

// e' = u - e with u = t: e = t - 1 + exp(-t), within the error of ten micro steps.
TEST_F(EventExchange, holds_keep_their_order_with_shared_events) {
  const std::string parts = fmt::format("  one: {{model: constant, set: {{value: 1}}}}\n  x: {}\n  e: {}\n",
                                        integrator(), part("strict-events", "set: {k: 1, x0: 0}, event_mode: always"));
  const double local =
      column(table_of(system(parts, "one.y -> x.u, x.y -> e.u", "step: 0.1, coupling: foh", 2.0)), "e.y").back();
  const double shared =
      column(table_of(system(parts, "one.y -> x.u, x.y -> e.u", "step: 0.1, coupling: foh, events: shared", 2.0)),
             "e.y")
          .back();
  EXPECT_NEAR(local, 1.0 + std::exp(-2.0), 0.01);
  EXPECT_NEAR(shared, local, 1e-12);
}

TEST_F(EventExchange, fresh_outputs_follow_through_several_fmus_in_an_event) {
  const std::string direct = part("strict-events", "set: {k: 0, x0: 0}, event_mode: always");
  const auto table = table_of(system(fmt::format("  s: {}\n  b: {}\n  c: {}\n  g: {{model: gain, set: {{k: 1}}}}\n",
                                                 part("strict-stair", "set: {period: 0.2, height: 1}"), direct, direct),
                                     "s.y -> b.u, b.z -> c.u, c.z -> g.u", "step: 0.1, feedthrough: fresh", 0.6));
  for (std::size_t i = 0; i < table.rows(); ++i) {
    for (const char* name : {"b.z", "c.z", "g.y"})
      EXPECT_EQ(column(table, name)[i], column(table, "s.y")[i]) << name << i;
  }
  EXPECT_EQ(column(table, "g.y").back(), 3.0);
}

// x' = u with u = 0, 1, 2, 3, 4 for 0.2 s each: 2 at the end. A parabola through the jumps would overshoot.
TEST_F(EventExchange, holds_begin_anew_behind_a_jump) {
  for (const char* events : {"local", "shared"}) {
    const auto table = table_of(
        system(fmt::format("  e: {}\n  x: {}\n",
                           part("strict-events", "set: {k: 0, x0: 0, period: 0.2, kick: 1}, event_mode: always"),
                           integrator()),
               "e.y -> x.u", fmt::format("step: 0.1, coupling: soh, events: {}", events)));
    EXPECT_NEAR(column(table, "x.y").back(), 2.0, 1e-12) << events;
  }
}

TEST_F(EventExchange, divergence_that_nobody_hears_is_seen_with_shared_events) {
  const RunSummary summary = run_text(system(
      fmt::format("  r: {}\n  x: {{model: state-space, set: {{A: [[20]], B: [[1]], C: [[1]], D: [[0]], x0: [1]}}}}\n",
                  part("relay")),
      "r.y -> x.u", "step: 0.1, events: shared", 50.0));
  EXPECT_EQ(summary.result.ending, Ending::diverged);
}

TEST_F(EventExchange, long_chain_of_discrete_values_is_no_loop) {
  std::string parts = "  s: " + part("strict-stair", "set: {period: 0.2}") + "\n", wires = "s.counter -> e0.mode";
  for (int i = 0; i < 110; ++i) {
    parts += fmt::format("  e{}: {}\n", i, part("strict-events"));
    if (i > 0) wires += fmt::format(", e{}.mode_out -> e{}.mode", i - 1, i);
  }
  const auto table = table_of(system(parts, wires, "step: 0.2", 0.4));
  EXPECT_EQ(column(table, "e109.mode_out").back(), 2.0);
}

TEST_F(EventExchange, shared_events_and_samples_of_micro_steps_exclude_each_other) {
  const std::string text = system(fmt::format("  x: {}\n  r: {}\n", plant(), part("relay")), "x.y -> r.u, r.y -> x.u",
                                  "step: 0.1, events: shared, coupling: {foh: {samples: micro}}");
  try {
    run_text(text);
    ADD_FAILURE() << "it ran";
  } catch (const base::ProblemsFound& found) {
    EXPECT_NE(found.problems().text().find("\"x\" sends samples of its micro steps"), std::string::npos)
        << found.problems().text();
  }
}

TEST_F(EventExchange, fmu_that_wants_another_update_for_ever_is_named) {
  const auto ran = run_text(system("  r: " + part("bad-restless", "event_mode: always") + "\n", "", "step: 0.1"));
  EXPECT_EQ(ran.result.ending, Ending::failed);
  EXPECT_NE(ran.result.message.find("has no end: discrete states were updated"), std::string::npos);
  EXPECT_NE(ran.result.message.find("times, and r wants another update"), std::string::npos) << ran.result.message;
}

// d := d + 1 for ever.
TEST_F(EventExchange, discrete_loop_without_end_is_an_error_that_names_it) {
  const std::string text =
      system("  a: " + part("strict-events") + "\n", "{from: a.d_out, to: a.d, gain: 1, offset: 1}", "step: 0.1");
  try {
    run_text(text);
    ADD_FAILURE() << "it ended";
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("has no end"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("a.d"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace seam::engine
