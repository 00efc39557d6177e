#include "seam/analysis/transition.hpp"

#include <gtest/gtest.h>

#include "seam/base/error.hpp"
#include "support/pair.hpp"

namespace seam {
namespace {

// x' = -u, y = x, u = y held: z = (x, u), x+ = x - h u, u+ = x+.
TEST(Transition, of_a_held_integrator_fed_by_itself_is_written_by_hand) {
  const engine::System system = engine::open_text(R"(
seam: 1
subsystems: {a: {model: state-space, set: {A: [[0]], B: [[-1]], C: [[1]], x0: [5]}}}
connections: [a.y -> a.u]
plan: {step: 0.25}
)",
                                                  "self.yaml", {});
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  std::string reason;
  const auto t = analysis::transition(live.program, coupling::start(live.program), reason);
  ASSERT_TRUE(t) << reason;
  lti::Matrix expected(2, 2);
  expected << 1, -0.25, 1, -0.25;
  EXPECT_LT((t->matrix - expected).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(t->names, (std::vector<std::string>{"a.x", "a.u"}));
  EXPECT_EQ(t->states, 1);
  EXPECT_EQ(t->exactness, analysis::Exactness::exact);
}

TEST(Transition, of_a_limiter_is_called_a_linearisation) {
  const engine::System system = engine::open_text(R"(
seam: 1
subsystems:
  a: {model: state-space, set: {A: [[0]], B: [[-1]], C: [[1]], x0: [0.5]}}
  l: {model: limiter, set: {low: -1, high: 1}}
connections: [a.y -> l.u, l.y -> a.u]
plan: {step: 0.25, feedthrough: fresh}
)",
                                                  "limited.yaml", {});
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  std::string reason;
  const auto t = analysis::transition(live.program, coupling::start(live.program), reason);
  ASSERT_TRUE(t) << reason;
  EXPECT_EQ(t->exactness, analysis::Exactness::linearised);
  EXPECT_NEAR(engine::analyse(system).spectral_radius, 0.75, 1e-9);
}

// Sources shift the trajectory, never the matrix.
TEST(Transition, does_not_depend_on_sources) {
  const auto matrix = [](const char* amplitude) {
    const engine::System system = engine::open_text(std::string(R"(
seam: 1
subsystems:
  s: {model: sine, set: {frequency: 1, amplitude: )") + amplitude +
                                                        R"(}}
  h: {model: sine, set: {frequency: 1, sampled: true, amplitude: )" +
                                                        amplitude + R"(}}
  a: {model: state-space, set: {A: [[-1]], B: [[-1, 1, 1]], C: [[1]]}}
connections: [a.y -> a.u1, s.y -> a.u2, h.y -> a.u3]
plan: {step: 0.25}
)",
                                                    "driven.yaml", {});
    const engine::Live live = engine::make_live(system, {engine::Horizon::none});
    std::string reason;
    return analysis::transition(live.program, coupling::start(live.program), reason)->matrix;
  };
  EXPECT_EQ(matrix("1"), matrix("1e6"));
}

// Over the first of the two ticks a disturbance grows e^100 times, which ends the step there.
TEST(Transition, of_a_step_that_does_not_come_to_its_end_is_not_told) {
  const engine::System system = engine::open_text(R"(
seam: 1
subsystems:
  fast: {model: state-space, set: {A: [[500]], B: [[1]], C: [[1]]}}
  slow: {model: state-space, set: {A: [[-1]], B: [[1]], C: [[1]]}}
connections: [fast.y -> slow.u, slow.y -> fast.u]
plan: {step: 1, subsystems: {slow: {step: 2}}}
)",
                                                  "exploding.yaml", {});
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  std::string reason;
  EXPECT_FALSE(analysis::transition(live.program, coupling::start(live.program), reason));
  EXPECT_EQ(reason, "a macro step multiplies a disturbance beyond all numbers");
}

// CVODE gives up on e^1000, and the state it had reached by then is far away.
TEST(Transition, leaves_the_subsystems_as_they_were_also_by_an_exception) {
  const engine::System system = engine::open_text(R"(
seam: 1
subsystems: {a: {model: state-space, solver: cvode, set: {A: [[1000]], B: [[1]], C: [[1]]}}}
connections: [a.y -> a.u]
plan: {step: 1}
)",
                                                  "failing.yaml", {});
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  const coupling::Memory memory = coupling::start(live.program);
  const auto before = analysis::read_state(live.program, memory);
  std::string reason;
  EXPECT_THROW(analysis::transition(live.program, memory, reason), base::Error);
  EXPECT_EQ(analysis::read_state(live.program, memory), before);
}

}  // namespace
}  // namespace seam
