#include "seam/coupling/advance.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "coupling/live.hpp"

namespace seam::coupling {
namespace {

/// x' = rate x, heard by an integrator.
std::string growing(double rate, const std::string& plan = "") {
  return "subsystems:\n  a: {model: state-space, set: {A: [[" + std::to_string(rate) +
         "]], x0: [1]}}\n  b: {model: state-space, set: {A: [[0]], B: [[1]]}}\n"
         "connections: [a.y -> b.u]\nplan: {step: 1" +
         plan + "}\n";
}

TEST(Advance, gives_whole_steps_and_the_tick_it_reached) {
  const engine::Live system = live(growing(-1));
  Memory memory = start(system.program);
  const Advance advanced = advance(system.program, memory, 3);
  EXPECT_EQ(advanced.outcome, base::Outcome::accepted);
  EXPECT_EQ(advanced.done, 3);
  EXPECT_EQ(memory.tick, 3);
  // The integrator heard the samples 1, e^-1, e^-2.
  EXPECT_NEAR(output(system.program, memory, 1), 1 + std::exp(-1) + std::exp(-2), 1e-14);
}

TEST(Advance, three_steps_at_once_are_three_steps_one_by_one) {
  for (const char* plan : {"", ", coupling: foh", ", coupling: {soh: {samples: micro}}"}) {
    const engine::Live system = live(growing(0.3, plan));
    Memory once = start(system.program);
    advance(system.program, once, 3);
    const base::Numbers values = once.values;
    Memory thrice = start(system.program);
    for (int n = 0; n < 3; ++n) advance(system.program, thrice, 1);
    EXPECT_EQ(thrice.values, values) << plan;
    EXPECT_EQ(thrice.knowledge, once.knowledge);
  }
}

TEST(Advance, a_value_past_the_limit_ends_the_step_it_is_sent_at) {
  for (const char* plan : {"", ", coupling: foh", ", coupling: {foh: {samples: micro}}"}) {
    const engine::Live system = engine::make_live(open(growing(1, plan)), {engine::Horizon::none, 100.0});
    Memory memory = start(system.program);
    const Advance advanced = advance(system.program, memory, 50);
    EXPECT_EQ(advanced.outcome, base::Outcome::diverged) << plan;
    EXPECT_EQ(advanced.done, 5) << plan;  // e^5 is 148
    EXPECT_EQ(memory.tick, 5) << plan;
    EXPECT_EQ(advanced.member, 0);
    EXPECT_EQ(advanced.output, 0);
  }
}

// Over half a period the output rises above the limit and comes back: the fine samples show it, the last one does not.
TEST(Advance, a_fine_sample_past_the_limit_is_divergence_although_the_last_one_is_sound) {
  const std::string text =
      "subsystems:\n  a: {model: state-space, set: {A: [[0, 1], [-9.8696044, 0]], C: [[1, 0]], x0: [0, 3.1415926]}}\n"
      "  b: {model: state-space, set: {A: [[0]], B: [[1]]}}\n"
      "connections: [a.y -> b.u]\n"
      "plan: {step: 1, coupling: {soh: {samples: micro}}, subsystems: {a: {micro_step: 0.5}}}\n";
  const engine::Live system = engine::make_live(open(text), {engine::Horizon::none, 0.9});
  Memory memory = start(system.program);
  const Advance advanced = advance(system.program, memory, 4);
  EXPECT_EQ(advanced.outcome, base::Outcome::diverged);
  EXPECT_EQ(advanced.done, 1);
  EXPECT_EQ(advanced.member, 0);
}

TEST(Advance, an_output_nobody_hears_is_looked_at_too) {
  const engine::Live system =
      engine::make_live(open("subsystems: {a: {model: state-space, set: {A: [[1]], x0: [1]}}}\nplan: {step: 1}\n"),
                        {engine::Horizon::none, 100.0});
  Memory memory = start(system.program);
  EXPECT_EQ(advance(system.program, memory, 4).outcome, base::Outcome::accepted);
  const Advance advanced = advance(system.program, memory, 1);
  EXPECT_EQ(advanced.outcome, base::Outcome::diverged);
  EXPECT_EQ(advanced.member, 0);
}

TEST(Advance, a_shorter_last_step_is_exact_for_lanes_that_are_whole_or_split) {
  for (const char* plan : {"", ", coupling: {foh: {samples: micro}}", ", coupling: soh"}) {
    const engine::Live system = live(growing(-1, plan) + "experiment: {stop: 2.37}\n", engine::Horizon::experiment);
    Memory memory = start(system.program);
    advance(system.program, memory, system.program.ticks);
    EXPECT_EQ(advance_last(system.program, memory).outcome, base::Outcome::accepted);
    EXPECT_NEAR(output(system.program, memory, 0), std::exp(-2.37), 1e-14) << plan;
  }
}

// The hold goes on as far as the last step goes: b gains 0.37 e^-2 in it.
TEST(Advance, a_shorter_last_step_hears_the_hold_for_its_own_length) {
  const engine::Live system = live(growing(-1) + "experiment: {stop: 2.37}\n", engine::Horizon::experiment);
  Memory memory = start(system.program);
  advance(system.program, memory, 2);
  advance_last(system.program, memory);
  EXPECT_NEAR(output(system.program, memory, 1), 1 + std::exp(-1) + 0.37 * std::exp(-2), 1e-14);
}

// a sends t + t^2, which the hold of order 2 meets exactly once it has three samples; b gains its integral.
TEST(Advance, a_sample_that_is_sent_ahead_in_a_shorter_last_step_belongs_to_its_end) {
  const char* const system =
      "subsystems:\n  a: {model: state-space, set: {A: [[0, 1], [0, 0]], B: [[0], [1]], C: [[1, 0]], D: [[0]], x0: [0, "
      "1]}}\n"
      "  b: {model: state-space, set: {A: [[0]], B: [[1]]}}\n  two: {model: constant, set: {value: 2}}\n"
      "connections: [two.y -> a.u, a.y -> b.u]\n"
      "plan: {step: 0.5, schedule: {gauss-seidel: [a, b]}, subsystems: {a: {micro_step: 0.125}}, coupling: ";
  const auto gained = [](double t) { return t * t / 2 + t * t * t / 3; };
  for (const char* coupling : {"soh", "{soh: {samples: micro}}"}) {
    for (const double stop : {2.05, 2.125, 2.25, 2.37}) {
      const engine::Live two =
          live(system + fmt::format("{}}}\nexperiment: {{stop: {}}}\n", coupling, stop), engine::Horizon::experiment);
      Memory memory = start(two.program);
      advance(two.program, memory, two.program.ticks);
      const double before = output(two.program, memory, 1);
      advance_last(two.program, memory);
      EXPECT_NEAR(output(two.program, memory, 1) - before, gained(stop) - gained(2.0), 1e-13) << coupling << stop;
    }
  }
}

TEST(Advance, silent_sources_are_not_heard) {
  const engine::Live system = live(
      "subsystems:\n  s: {model: constant, set: {value: 5}}\n  b: {model: state-space, set: {A: [[0]], B: [[1]]}}\n"
      "connections: [s.y -> b.u]\nplan: {step: 1}\n");
  Memory memory = start(system.program);
  advance(system.program, memory, 2, assembly::Sources::silent);
  EXPECT_EQ(output(system.program, memory, 1), 0.0);
  advance(system.program, memory, 2);
  EXPECT_NEAR(output(system.program, memory, 1), 10.0, 1e-14);
}

}  // namespace
}  // namespace seam::coupling
