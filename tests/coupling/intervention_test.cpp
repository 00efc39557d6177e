#include "seam/coupling/intervention.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "coupling/live.hpp"

namespace seam::coupling {
namespace {

constexpr double h = 0.1;
const double decay = std::exp(-h);

/// x' = -x + u, and what feeds it.
const std::string lag = "  b: {model: state-space, set: {A: [[-1]], B: [[1]]}}\n";
const std::string fading = "  a: {model: state-space, set: {A: [[-1]], x0: [1]}}\n";

std::string system_of(const std::string& subsystems, const std::string& events, const std::string& more = "") {
  return "subsystems:\n" + subsystems + more + "\nexperiment:\n  stop: 2 s\n  events:\n" + events;
}
std::string plan(const std::string& coupling, const std::string& feedthrough = "held") {
  return "plan: {step: 0.1, coupling: " + coupling + ", feedthrough: " + feedthrough + "}\n";
}

/// A run step by step: what it shows at every communication point.
struct Course {
  std::vector<double> inputs, outputs;  ///< of one member
};
Course run(const std::string& text, int member) {
  engine::Live made = live(text, engine::Horizon::experiment);
  Memory memory = start(made.program);
  Course course;
  for (base::Tick tick = 0;; ++tick) {
    course.inputs.push_back(input(made.program, memory, member));
    course.outputs.push_back(output(made.program, memory, member));
    if (tick == made.program.ticks) return course;
    EXPECT_EQ(advance(made.program, memory, 1).outcome, base::Outcome::accepted);
  }
}

/// x' = -x + u with u constant over each step.
void expect_lag_of(const Course& course, const std::function<double(int)>& u) {
  double x = 0.0;
  for (std::size_t n = 0; n < course.outputs.size(); ++n) {
    EXPECT_NEAR(course.outputs[n], x, 1e-13) << n;
    EXPECT_NEAR(course.inputs[n], u(static_cast<int>(n)), 1e-13) << n;
    x = decay * x + (1.0 - decay) * u(static_cast<int>(n));
  }
}

TEST(Set, a_lag_answers_from_that_time_on) {
  const Course course =
      run(system_of(lag, "    - {at: 0, set: {b.u: 0}}\n    - {at: 0.2 s, set: {b.u: 2}}\n", plan("zoh")), 0);
  for (int n = 0; n <= 20; ++n) {
    const double since = 0.1 * n - 0.2;
    EXPECT_NEAR(course.outputs[static_cast<std::size_t>(n)], since > 0.0 ? 2.0 * (1.0 - std::exp(-since)) : 0.0, 1e-13);
  }
}

TEST(Set, an_input_without_start_value_must_be_set_at_the_start) {
  EXPECT_NE(problems_of(system_of(lag, "    - {at: 0.2 s, set: {b.u: 2}}\n", plan("zoh"))).find("no start value"),
            std::string::npos);
}

TEST(Ramp, moves_the_input_at_communication_points_and_holds_it_between) {
  const Course course = run(
      system_of(lag, "    - {at: 0, set: {b.u: 1}}\n    - {from: 0.5 s, to: 1.3 s, ramp: {b.u: 5}}\n", plan("foh")), 0);
  expect_lag_of(course, [](int n) { return n <= 5 ? 1.0 : n >= 13 ? 5.0 : 1.0 + 4.0 * (n - 5) / 8.0; });
}

TEST(Override, replaces_what_arrives_for_a_while_under_a_plain_hold) {
  const Course course = run(system_of(fading + lag, "    - {from: 0.3, to: 0.6, override: {b.u: 5}}\n",
                                      "connections: [a.y -> b.u]\n" + plan("zoh")),
                            1);
  expect_lag_of(course, [](int n) { return n >= 3 && n < 6 ? 5.0 : std::exp(-0.1 * n); });
}

TEST(Override, is_not_extrapolated_and_leaves_the_samples_of_the_connection_alone) {
  for (const char* hold : {"foh", "soh"}) {
    const Course course = run(system_of(fading + lag, "    - {from: 0.3, to: 0.6, override: {b.u: 5}}\n",
                                        "connections: [a.y -> b.u]\n" + plan(hold)),
                              1);
    const bool second_order = std::string(hold) == "soh";
    const auto sample = [](int n) { return std::exp(-0.1 * n); };
    // x(h) for x' = -x + s^j, s = time/h, from rest
    const double G0 = 1.0 - decay, G1 = 1.0 - G0 / h, G2 = 1.0 - 2.0 * G1 / h;
    double x = 0.0;
    for (int n = 0; n <= 20; ++n) {
      const bool overridden = n >= 3 && n < 6;
      EXPECT_NEAR(course.inputs[static_cast<std::size_t>(n)], overridden ? 5.0 : sample(n), 1e-13) << n;
      EXPECT_NEAR(course.outputs[static_cast<std::size_t>(n)], x, 1e-12) << hold << " " << n;
      const double d1 = n >= 1 ? sample(n) - sample(n - 1) : 0.0;
      const double d2 = second_order && n >= 2 ? 0.5 * (sample(n) - 2.0 * sample(n - 1) + sample(n - 2)) : 0.0;
      x = decay * x + (overridden ? G0 * 5.0 : G0 * sample(n) + G1 * (d1 + d2) + G2 * d2);
    }
  }
}

TEST(Override, that_moves_is_a_ramp_between_two_values) {
  const Course course = run(system_of(fading + lag, "    - {from: 0.4, to: 0.8, ramp: {b.u: [4, 8]}}\n",
                                      "connections: [a.y -> b.u]\n" + plan("foh")),
                            1);
  for (int n = 0; n <= 20; ++n) {
    const bool overridden = n >= 4 && n < 8;
    EXPECT_NEAR(course.inputs[static_cast<std::size_t>(n)], overridden ? n : std::exp(-0.1 * n), 1e-13) << n;
  }
}

TEST(Override, of_a_known_signal_holds_at_every_solver_step) {
  const std::string one = "  s: {model: sine, set: {amplitude: 0.5, frequency: 0.3 Hz, offset: 1}}\n";
  for (const char* solver : {"exact", "rk4", "cvode"}) {
    const std::string follower =
        std::string("  b: {model: state-space, solver: ") + solver + ", set: {A: [[-1]], B: [[1]]}}\n";
    const std::string connected = "connections: [s.y -> b.u]\n" + plan("zoh");
    const Course with =
        run(system_of(one + follower, "    - {from: 0.3, to: 0.6, override: {b.u: 5}}\n", connected), 1);
    const Course without =
        run(system_of(one + follower, "    - {from: 1.9, to: 2, override: {b.u: 5}}\n", connected), 1);
    for (std::size_t n = 0; n <= 18; ++n) {
      // the difference of the two runs is the lag's answer to the difference of the inputs
      const double signal = 1.0 + 0.5 * std::sin(2.0 * M_PI * 0.3 * 0.1 * static_cast<double>(n));
      EXPECT_NEAR(with.inputs[n], n >= 3 && n < 6 ? 5.0 : signal, 1e-12) << n;
      if (n <= 3) {
        EXPECT_EQ(with.outputs[n], without.outputs[n]);
      }
      if (n > 3 && n <= 6) {
        const double since = 0.1 * static_cast<double>(n - 3);
        EXPECT_NEAR(with.outputs[n], std::exp(-since) * without.outputs[3] + 5.0 * (1.0 - std::exp(-since)), 1e-6);
      }
      if (n > 6) {
        const double faded = std::exp(-0.1 * static_cast<double>(n - 6)) * (with.outputs[6] - without.outputs[6]);
        EXPECT_NEAR(with.outputs[n] - without.outputs[n], faded, 1e-6) << solver << " " << n;
      }
    }
  }
}

const std::string chain = fading + "  g: {model: gain, set: {k: 3}}\n" + lag;
const std::string chained = "connections: [a.y -> g.u, g.y -> b.u]\n";

TEST(Override, is_what_fresh_outputs_are_evaluated_with) {
  const std::string events = "    - {from: 0.3, to: 0.6, override: {g.u: 5}}\n";
  for (const char* hold : {"zoh", "foh"}) {
    const Course fresh = run(system_of(chain, events, chained + plan(hold, "fresh")), 1);
    const Course sink = run(system_of(chain, events, chained + plan(hold, "fresh")), 2);
    for (std::size_t n = 0; n <= 20; ++n) {
      const double u = n >= 3 && n < 6 ? 5.0 : std::exp(-0.1 * static_cast<double>(n));
      EXPECT_NEAR(fresh.outputs[n], 3.0 * u, 1e-13) << n;
      EXPECT_NEAR(sink.inputs[n], 3.0 * u, 1e-13) << n;
    }
  }
  const Course held = run(system_of(chain, events, chained + plan("zoh", "held")), 1);
  EXPECT_NEAR(held.outputs[3], 3.0 * std::exp(-0.2), 1e-13);  // of the step that ends there
  EXPECT_EQ(held.outputs[4], 15.0);
}

TEST(Set, of_a_free_input_is_what_fresh_outputs_are_evaluated_with) {
  const std::string alone = "  g: {model: gain, set: {k: 3}}\n" + lag;
  const std::string events = "    - {at: 0, set: {g.u: 1}}\n    - {at: 0.3, set: {g.u: 5}}\n";
  const Course fresh = run(system_of(alone, events, "connections: [g.y -> b.u]\n" + plan("zoh", "fresh")), 0);
  EXPECT_EQ(fresh.outputs[2], 3.0);
  EXPECT_EQ(fresh.outputs[3], 15.0);
}

TEST(Override, at_the_start_is_there_before_the_first_step) {
  const std::string events = "    - {from: 0, to: 0.2, override: {g.u: 5}}\n";
  for (const char* feedthrough : {"held", "fresh"}) {
    const Course gain = run(system_of(chain, events, chained + plan("foh", feedthrough)), 1);
    EXPECT_EQ(gain.inputs[0], 5.0);
    EXPECT_EQ(gain.outputs[0], 15.0);
    EXPECT_NEAR(gain.inputs[2], std::exp(-0.2), 1e-13);
  }
  engine::Live made = live(system_of(chain, events, chained + plan("foh")), engine::Horizon::experiment);
  start(made.program);
  EXPECT_EQ(made.assembly->wires.size(), 2u);  // all wires are back
}

TEST(Events, cost_nothing_where_there_are_none) {
  const engine::Live made =
      live("subsystems:\n" + fading + lag + "connections: [a.y -> b.u]\nexperiment: {stop: 1}\n" + plan("zoh"),
           engine::Horizon::experiment);
  EXPECT_EQ(count(made.program, Action::intervene_in_step), 0);
  EXPECT_EQ(count(made.program, Action::intervene_at_point), 0);
  EXPECT_EQ(made.program.kept_values, made.program.initial.values.size());
}

TEST(Events, are_not_compiled_for_analysis) {
  const std::string text = system_of(fading + lag, "    - {from: 0.3, to: 0.6, override: {b.u: 5}}\n",
                                     "connections: [a.y -> b.u]\n" + plan("foh"));
  EXPECT_TRUE(live(text, engine::Horizon::none).program.interventions.empty());
}

TEST(Events, reach_the_shorter_last_step_too) {
  const std::string events = "    - {at: 0, set: {b.u: 1}}\n    - {at: 1.91, set: {b.u: 4}}\n";
  std::string text = system_of(lag, events, plan("zoh"));
  text.replace(text.find("stop: 2 s"), 9, "stop: 1.95 s");
  engine::Live made = live(text, engine::Horizon::experiment);
  Memory memory = start(made.program);
  advance(made.program, memory, made.program.ticks);
  EXPECT_EQ(input(made.program, memory, 0), 1.0);
  advance_last(made.program, memory);
  EXPECT_EQ(input(made.program, memory, 0), 4.0);
  EXPECT_NEAR(output(made.program, memory, 0), 1.0 - std::exp(-1.95), 1e-13);
}

}  // namespace
}  // namespace seam::coupling
