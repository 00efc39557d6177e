// Direct feed-through sent fresh: everything evaluated in the order in which it depends on each other.
#include "seam/coupling/exchange_order.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coupling/live.hpp"

namespace seam::coupling {
namespace {

/// A decaying state that passes three gains, listed against the stream.
std::string chain(const std::string& plan) {
  return "subsystems:\n  third: {model: gain, set: {k: 5}}\n  second: {model: gain, set: {k: 3}}\n"
         "  first: {model: gain, set: {k: 2}}\n  source: {model: state-space, set: {A: [[-1]], x0: [1]}}\n"
         "connections:\n  - second.y -> third.u\n  - {from: first.y, to: second.u, offset: 1}\n"
         "  - source.y -> first.u\nplan: {step: 0.1, " +
         plan + "}\n";
}

TEST(ExchangeOrder, a_chain_sent_fresh_has_the_monolithic_values_at_every_communication_point) {
  const engine::Live system = live(chain("feedthrough: fresh"));
  Memory memory = start(system.program);
  for (int n = 0; n <= 5; ++n) {
    const double x = std::exp(-0.1 * n);
    EXPECT_NEAR(output(system.program, memory, 2), 2 * x, 1e-14) << n;
    EXPECT_NEAR(output(system.program, memory, 1), 3 * (2 * x + 1), 1e-14) << n;
    EXPECT_NEAR(output(system.program, memory, 0), 15 * (2 * x + 1), 1e-13) << n;
    advance(system.program, memory, 1);
  }
}

TEST(ExchangeOrder, the_same_chain_held_is_one_step_late_a_gain) {
  const engine::Live system = live(chain("feedthrough: held"));
  Memory memory = start(system.program);
  advance(system.program, memory, 5);
  EXPECT_NEAR(output(system.program, memory, 2), 2 * std::exp(-0.4), 1e-14);
  EXPECT_NEAR(output(system.program, memory, 1), 3 * (2 * std::exp(-0.3) + 1), 1e-14);
  EXPECT_NEAR(output(system.program, memory, 0), 15 * (2 * std::exp(-0.2) + 1), 1e-13);
}

TEST(ExchangeOrder, stages_count_the_gains_passed) {
  const engine::System system = open(chain("feedthrough: fresh"));
  const engine::Live made = engine::make_live(system, {engine::Horizon::none});
  base::Problems problems;
  const auto order = exchange_order(*made.assembly, system.plan, {}, problems);
  ASSERT_TRUE(order);
  EXPECT_EQ(order->stages, 4);
  EXPECT_EQ(order->stage, (std::vector<std::vector<int>>{{3}, {2}, {1}, {0}}));
}

TEST(ExchangeOrder, held_has_one_stage) {
  const engine::System system = open(chain("feedthrough: held"));
  const engine::Live made = engine::make_live(system, {engine::Horizon::none});
  base::Problems problems;
  const auto order = exchange_order(*made.assembly, system.plan, {}, problems);
  ASSERT_TRUE(order);
  EXPECT_EQ(order->stages, 1);
}

// y1 = x, y2 = u: the loop a.y2 -> b -> a.u is none, since a.y2 only passes on what a.y1 does not hear.
TEST(ExchangeOrder, two_subsystems_that_need_each_other_by_different_ports_are_no_loop) {
  const engine::Live system = live(
      "subsystems:\n  a: {model: state-space, set: {A: [[-1]], B: [[0]], C: [[1], [0]], D: [[0], [1]], x0: [1]}}\n"
      "  b: {model: gain, set: {k: 2}}\n  c: {model: gain, set: {k: 3}}\n"
      "connections: [a.y1 -> b.u, b.y -> a.u, a.y2 -> c.u]\nplan: {step: 0.1, feedthrough: fresh}\n");
  Memory memory = start(system.program);
  advance(system.program, memory, 3);
  const double x = std::exp(-0.3);
  EXPECT_NEAR(output(system.program, memory, 0, 1), 2 * x, 1e-14);
  EXPECT_NEAR(output(system.program, memory, 2), 6 * x, 1e-14);
}

TEST(ExchangeOrder, a_loop_names_its_ports_and_no_others) {
  const std::string problems = problems_of(
      "subsystems:\n  g: {model: sum, set: {gains: [0.5, 1]}}\n  h: {model: gain, set: {k: 0.5}}\n"
      "  before: {model: state-space, set: {A: [[-1]], x0: [1]}}\n  after: {model: gain, set: {k: 1}}\n"
      "connections: [g.y -> h.u, h.y -> g.u1, before.y -> g.u2, h.y -> after.u]\n"
      "plan: {step: 0.1, feedthrough: fresh}\n");
  EXPECT_NE(problems.find("g.y"), std::string::npos) << problems;
  EXPECT_NE(problems.find("h.y"), std::string::npos);
  EXPECT_EQ(problems.find("before.y"), std::string::npos) << problems;
  EXPECT_EQ(problems.find("after.y"), std::string::npos) << problems;
}

TEST(ExchangeOrder, one_held_subsystem_opens_the_loop) {
  EXPECT_EQ(problems_of("subsystems:\n  g: {model: gain, set: {k: 0.5}}\n  h: {model: gain, set: {k: 0.5}}\n"
                        "connections: [g.y -> h.u, h.y -> g.u]\n"
                        "plan: {step: 0.1, feedthrough: fresh, subsystems: {h: {feedthrough: held}}}\n"),
            "");
}

}  // namespace
}  // namespace seam::coupling
