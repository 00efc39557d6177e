#include <gtest/gtest.h>

#include <cmath>

#include "seam/analysis/reference.hpp"
#include "support/pair.hpp"

namespace seam {
namespace {

struct Solved {
  engine::Live live;
  std::unique_ptr<analysis::Reference> solution;
};

Solved solve(const std::string& text) {
  const engine::System system = engine::open_text(text, "test.yaml", {});
  Solved solved{engine::make_live(system, {engine::Horizon::none}), nullptr};
  std::string reason;
  solved.solution = analysis::make_reference(*solved.live.assembly, system.description.experiment.start, reason);
  EXPECT_NE(solved.solution, nullptr) << reason;
  return solved;
}

// x'' = -x from (1, 0), cut into two first-order parts that feed each other.
const char* oscillator_in_two_parts = R"(
seam: 1
subsystems:
  a: {model: state-space, set: {A: [[0]], B: [[1]], C: [[1]], x0: [1]}}
  b: {model: state-space, set: {A: [[0]], B: [[-1]], C: [[1]], x0: [0]}}
connections: [a.y -> b.u, b.y -> a.u]
plan: {step: 0.1}
)";

TEST(Reference, an_oscillator_cut_in_two_is_a_cosine) {
  const Solved s = solve(oscillator_in_two_parts);
  for (int i = 1; i <= 100; ++i) {
    s.solution->advance_to(0.1 * i);
    EXPECT_NEAR(s.solution->ports().outputs[0][0], std::cos(0.1 * i), 1e-13);
    EXPECT_NEAR(s.solution->ports().inputs[0][0], -std::sin(0.1 * i), 1e-13);
  }
}

// x' = -x + sin(2t): x = (2 e^-t + sin 2t - 2 cos 2t)/5 from 0.
TEST(Reference, a_known_signal_is_integrated_to_rounding) {
  const Solved s = solve(R"(
seam: 1
subsystems:
  s: {model: sine, set: {amplitude: 1, frequency: 0.3183098861837907}}
  a: {model: state-space, set: {A: [[-1]], B: [[1]], C: [[1]]}}
connections: [s.y -> a.u]
plan: {step: 0.5}
)");
  for (int i = 1; i <= 20; ++i) {
    const double t = 0.5 * i;
    s.solution->advance_to(t);
    EXPECT_NEAR(s.solution->ports().outputs[1][0], (2 * std::exp(-t) + std::sin(2 * t) - 2 * std::cos(2 * t)) / 5,
                1e-13);
  }
}

// x' = -x + step at 0.3: x = 1 - e^-(t - 0.3); the jump lies inside a macro step.
TEST(Reference, a_jump_inside_a_step_is_met_exactly) {
  const Solved s = solve(R"(
seam: 1
subsystems:
  s: {model: step, set: {time: 0.3, before: 0, after: 1}}
  a: {model: state-space, set: {A: [[-1]], B: [[1]], C: [[1]]}}
connections: [s.y -> a.u]
plan: {step: 0.25}
)");
  s.solution->advance_to(0.25);
  EXPECT_NEAR(s.solution->ports().outputs[1][0], 0.0, 1e-15);
  s.solution->advance_to(0.5);
  EXPECT_NEAR(s.solution->ports().outputs[1][0], 1 - std::exp(-0.2), 1e-13);
}

// y = 2 (1 + 0.25 y): a loop of direct feed-through whose solution is 4.
TEST(Reference, a_loop_of_direct_feedthrough_is_solved) {
  const Solved s = solve(R"(
seam: 1
subsystems:
  one: {model: constant, set: {value: 1}}
  add: {model: sum, set: {gains: [1, 1]}}
  twice: {model: gain, set: {k: 2}}
  quarter: {model: gain, set: {k: 0.25}}
connections: [one.y -> add.u1, quarter.y -> add.u2, add.y -> twice.u, twice.y -> quarter.u]
plan: {step: 0.1}
)");
  s.solution->advance_to(0.1);
  EXPECT_NEAR(s.solution->ports().outputs[2][0], 4.0, 1e-12);
}

// x' = -limit(x): from 3 a straight line with slope -1 until x = 1, then e^-t.
TEST(Reference, nonlinear_equations_are_integrated_by_cvode) {
  const Solved s = solve(R"(
seam: 1
subsystems:
  a: {model: state-space, set: {A: [[0]], B: [[-1]], C: [[1]], x0: [3]}}
  l: {model: limiter, set: {low: -1, high: 1}}
connections: [a.y -> l.u, l.y -> a.u]
plan: {step: 0.1}
)");
  s.solution->advance_to(1.0);
  EXPECT_NEAR(s.solution->ports().outputs[0][0], 2.0, 1e-8);
  s.solution->advance_to(3.0);
  EXPECT_NEAR(s.solution->ports().outputs[0][0], std::exp(-1.0), 1e-7);
}

// However stiff: y follows a constant at once.
TEST(Reference, a_stiff_lag_settles_at_its_input) {
  for (const char* lag : {"1e-6", "1e-8", "1e-10"}) {
    const Solved s = solve(std::string(R"(
seam: 1
subsystems:
  c: {model: constant, set: {value: 1}}
  p: {model: transfer-function, set: {num: [1], den: [)") +
                           lag + R"(, 1]}}
connections: [c.y -> p.u]
plan: {step: 0.1}
)");
    s.solution->advance_to(0.1);
    EXPECT_NEAR(s.solution->ports().outputs[1][0], 1.0, 1e-6) << lag;
  }
}

// 31.3 periods a step into an integrator: (cos(1) - cos(2 pi f t + 1))/(2 pi f).
TEST(Reference, a_signal_faster_than_the_step_is_followed) {
  const Solved s = solve(R"(
seam: 1
subsystems:
  s: {model: sine, set: {amplitude: 1, frequency: 31.3, phase: 1}}
  a: {model: state-space, set: {A: [[0]], B: [[1]], C: [[1]]}}
connections: [s.y -> a.u]
plan: {step: 1}
)");
  const double omega = 2 * 3.14159265358979323846 * 31.3;
  for (int t = 1; t <= 3; ++t) {
    s.solution->advance_to(t);
    EXPECT_NEAR(s.solution->ports().outputs[1][0], (std::cos(1.0) - std::cos(omega * t + 1.0)) / omega, 1e-11) << t;
  }
}

TEST(Reference, a_delay_is_no_differential_equation_and_the_reason_is_given) {
  const engine::System system = engine::open_text(R"(
seam: 1
subsystems:
  a: {model: state-space, set: {A: [[0]], B: [[-1]], C: [[1]], x0: [3]}}
  d: {model: delay, set: {time: 0.3}}
connections: [a.y -> d.u, d.y -> a.u]
plan: {step: 0.1}
)",
                                                  "test.yaml", {});
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  std::string reason;
  EXPECT_EQ(analysis::make_reference(*live.assembly, 0.0, reason), nullptr);
  EXPECT_NE(reason.find("\"d\""), std::string::npos) << reason;
}

// Offsets and start values of inputs that nothing feeds act like constants.
TEST(Reference, offsets_and_start_values_are_part_of_the_solution) {
  const Solved s = solve(R"(
seam: 1
subsystems:
  a: {model: mass-chain, set: {masses: [1], to_ground: {k: 4, d: 4}, coupling: {kind: force}}}
  g: {model: gain, set: {k: 0}}
connections:
  - a.x1 -> g.u
  - {from: g.y, to: a.F_in, gain: 1, offset: 8}
plan: {step: 0.1}
)");
  s.solution->advance_to(20.0);
  EXPECT_NEAR(s.solution->ports().outputs[0][0], 2.0, 1e-12);
}

}  // namespace
}  // namespace seam
