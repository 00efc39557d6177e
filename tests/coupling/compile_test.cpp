#include "seam/coupling/compile.hpp"

#include <gtest/gtest.h>

#include "coupling/live.hpp"

namespace seam::coupling {
namespace {

/// Two lags around a ring; `keys` go to the first, `plan` to the plan.
std::string ring(const std::string& keys, const std::string& plan) {
  return "subsystems:\n  a: {model: state-space, " + keys +
         "set: {A: [[-1]], B: [[1]], C: [[1]], x0: [1]}}\n"
         "  b: {model: state-space, set: {A: [[-2]], B: [[1]], C: [[1]]}}\n"
         "connections: [a.y -> b.u, b.y -> a.u]\nplan: {step: 0.1, " +
         plan + "}\n";
}

TEST(Compile, a_zero_order_hold_is_nothing_but_the_copy_that_writes_the_input) {
  for (const char* solver : {"", "solver: rk4, "}) {
    const engine::Live system = live(ring(solver, "coupling: zoh"));
    const Program& program = system.program;
    EXPECT_TRUE(program.receivers.empty());
    EXPECT_TRUE(program.emitters.empty());
    ASSERT_EQ(program.operations.size(), 2u);  // step both, copy both
    EXPECT_EQ(program.operations[0].action, Action::step);
    EXPECT_EQ(program.operations[0].count, 2);
    EXPECT_EQ(program.operations[1].action, Action::copy);
    EXPECT_EQ(program.operations[1].count, 2);
    EXPECT_TRUE(program.map);
  }
}

TEST(Compile, lanes_that_are_called_as_subsystems_in_a_row_are_one_operation) {
  const std::string lag = "{model: state-space, solver: rk4, set: {A: [[-1]], B: [[1]], C: [[1]]}}\n";
  const engine::Live system =
      live("subsystems:\n  a: " + lag + "  b: " + lag + "  c: " + lag + "  d: " + lag +
           "connections: [a.y -> b.u, b.y -> c.u, c.y -> d.u, d.y -> a.u]\nplan: {step: 0.1, coupling: zoh}\n");
  const auto& operations = system.program.operations;
  ASSERT_EQ(count(system.program, Action::step), 1);
  EXPECT_EQ(operations[0].first, 0);
  EXPECT_EQ(operations[0].count, 4);
  ASSERT_EQ(system.program.calls.size(), 4u);
  EXPECT_EQ(system.program.calls[3].lane, 3);
}

TEST(Compile, a_hold_of_higher_order_raises_the_degree_and_splits_nothing) {
  const engine::Live system = live(ring("", "coupling: soh"));
  EXPECT_EQ(system.program.receivers.size(), 2u);
  EXPECT_EQ(count(system.program, Action::step), 1);
  for (const Lane& lane : system.program.lanes) {
    EXPECT_EQ(lane.degree, 2);
    EXPECT_EQ(lane.crossing, Crossing::whole);
  }
}

TEST(Compile, a_stepped_lane_is_split_only_if_its_input_varies) {
  const engine::Live held = live(ring("input_signal: stepped, ", "coupling: zoh"));
  EXPECT_EQ(held.program.lanes[0].segments, 1);
  const engine::Live ramp = live(ring("input_signal: stepped, ", "coupling: foh, subsystems: {a: {micro_step: 0.02}}"));
  EXPECT_EQ(ramp.program.lanes[0].segments, 5);
  EXPECT_EQ(ramp.program.lanes[0].crossing, Crossing::constant_segments);
  EXPECT_EQ(ramp.program.lanes[1].crossing, Crossing::whole);
  EXPECT_EQ(count(ramp.program, Action::step_in_segments), 1);
}

TEST(Compile, fine_samples_split_the_source_and_not_the_sink) {
  const engine::Live system = live(ring("", "connections: {b.u: {foh: {samples: micro}}}"));
  EXPECT_EQ(system.program.lanes[0].segments, 10);
  EXPECT_EQ(system.program.lanes[0].crossing, Crossing::polynomial_segments);
  EXPECT_EQ(system.program.lanes[0].emitters.size(), 1u);
  EXPECT_EQ(system.program.lanes[1].crossing, Crossing::whole);
}

TEST(Compile, ports_that_go_the_same_way_share_an_emitter_and_a_receiver) {
  const engine::Live system = live(
      "subsystems:\n  a: {model: state-space, set: {A: [[-1, 0], [0, -2]], x0: [1, 1]}}\n"
      "  b: {model: state-space, set: {A: [[0, 0], [0, 0]], B: [[1, 0], [0, 1]]}}\n"
      "connections: [a.y1 -> b.u1, a.y2 -> b.u2]\nplan: {step: 0.1, coupling: {soh: {samples: micro}}}\n");
  EXPECT_EQ(system.program.emitters.size(), 1u);
  ASSERT_EQ(system.program.receivers.size(), 1u);
  EXPECT_EQ(system.program.receivers[0].columns, (std::vector<int>{0, 1}));
}

TEST(Compile, a_factor_or_an_offset_makes_a_scaled_link_and_none_a_copy) {
  const engine::Live system = live(
      "subsystems:\n  a: {model: state-space, set: {A: [[-1]], B: [[1]], x0: [1]}}\n"
      "  b: {model: state-space, set: {A: [[-2]], B: [[1]]}}\n"
      "connections: [a.y -> b.u, {from: b.y, to: a.u, gain: -2, offset: 3}]\nplan: {step: 0.1}\n");
  EXPECT_EQ(count(system.program, Action::copy), 1);
  EXPECT_EQ(count(system.program, Action::scale), 1);
  Memory memory = start(system.program);
  EXPECT_EQ(input(system.program, memory, 0), 3.0);  // b starts at 0
  advance(system.program, memory, 4);
  EXPECT_DOUBLE_EQ(input(system.program, memory, 0), -2.0 * output(system.program, memory, 1) + 3.0);
}

TEST(Compile, a_sampled_signal_is_passed_on_as_sent_whatever_the_coupling) {
  const engine::Live system = live(
      "subsystems:\n  s: {model: sine, set: {frequency: 1, sampled: true}}\n"
      "  b: {model: state-space, set: {A: [[-2]], B: [[1]]}}\nconnections: [s.y -> b.u]\n"
      "plan: {step: 0.1, coupling: soh}\n");
  EXPECT_TRUE(system.program.receivers.empty());
}

TEST(Compile, a_signal_known_ahead_has_no_lane_and_no_link) {
  const engine::Live system = live(
      "subsystems:\n  s: {model: sine, set: {frequency: 1}}\n"
      "  b: {model: state-space, set: {A: [[-2]], B: [[1]]}}\nconnections: [s.y -> b.u]\nplan: {step: 0.1}\n");
  ASSERT_EQ(system.program.lanes.size(), 1u);
  EXPECT_EQ(system.program.lanes[0].member, 1);
  EXPECT_TRUE(system.program.links.empty());
  EXPECT_EQ(system.program.output_place(0, 0), -1);
}

TEST(Compile, a_horizon_on_the_grid_has_no_last_step_and_one_off_it_has_the_rest) {
  const std::string text = ring("", "coupling: zoh");
  const engine::Live on = live(text + "experiment: {start: 1, stop: 1.7}\n", engine::Horizon::experiment);
  EXPECT_EQ(on.program.ticks, 7);
  EXPECT_EQ(on.program.last_step, 0.0);
  const engine::Live off = live(text + "experiment: {start: 1, stop: 1.75}\n", engine::Horizon::experiment);
  EXPECT_EQ(off.program.ticks, 7);
  EXPECT_NEAR(off.program.last_step, 0.05, 1e-15);
  EXPECT_EQ(off.program.grid.time(7) + off.program.last_step, 1.75);
}

}  // namespace
}  // namespace seam::coupling
