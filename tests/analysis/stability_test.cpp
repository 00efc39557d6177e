#include "seam/analysis/stability.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "seam/analysis/complete_compensators.hpp"
#include "support/pair.hpp"

namespace seam {
namespace {

analysis::Stability analyse(const std::string& text) {
  return engine::analyse(engine::open_text(text, "test.yaml", {}));
}

TEST(Stability, poles_of_z_0_are_null_and_the_others_are_logarithms) {
  const auto s = analyse(R"(
seam: 1
subsystems: {a: {model: state-space, set: {A: [[0]], B: [[-1]], C: [[1]]}}}
connections: [a.y -> a.u]
plan: {step: 0.25}
)");
  ASSERT_EQ(s.eigenvalues.size(), 2u);
  EXPECT_NEAR(s.eigenvalues[0].real(), 0.75, 1e-15);
  EXPECT_NEAR(s.poles[0]->real(), std::log(0.75) / 0.25, 1e-14);
  EXPECT_EQ(s.eigenvalues[1], 0.0);
  EXPECT_FALSE(s.poles[1].has_value());
  ASSERT_TRUE(s.monolithic_poles);
  EXPECT_NEAR((*s.monolithic_poles)[0].real(), -1.0, 1e-15);
}

std::string free_pair(const char* coupling) {
  return std::string(R"(
seam: 1
subsystems:
  a: {model: mass-chain, set: {masses: [1], coupling: {kind: spring, k: 10, d: 1}}}
  b: {model: mass-chain, set: {masses: [2], coupling: {kind: force}}}
connections: [a.F -> b.F_in, b.x1 -> a.x_in, b.v1 -> a.v_in]
plan: {step: 0.01, feedthrough: fresh, coupling: )") +
         coupling + "}\n";
}

// The coupled equations have a double pole at 0. A held displacement keeps only the place free; an extrapolated one
// also the speed.
TEST(Stability, rigid_motion_of_a_free_pair_is_structural_as_far_as_the_hold_carries_it) {
  const auto zoh = analyse(free_pair("zoh"));
  EXPECT_EQ(zoh.structural.size(), 1u);
  EXPECT_LT(zoh.spectral_radius, 1.0);
  const auto foh = analyse(free_pair("foh"));
  EXPECT_EQ(foh.structural.size(), 2u);
  EXPECT_LT(foh.spectral_radius, 1.0);
}

// Rounding of the null vectors that tell what is kept was taken for a part of them, and the step called marginal.
TEST(Stability, an_integrated_velocity_is_structural_whatever_rounding_makes_of_the_rest) {
  const auto s = analyse(R"(
seam: 1
subsystems:
  a: {model: state-space, set: {A: [[0, 1, 0], [-309.4, -14.81, 169.5], [0, 0, 0]], B: [[0], [14.78], [1]],
      C: [[78.27, 6.823, -78.27]], D: [[-6.823]]}}
  b: {model: state-space, set: {A: [[0, 1], [0, -0.1275]], B: [[0], [3.419]], C: [[0, 1]]}}
connections: [a.y -> b.u, b.y -> a.u]
plan: {step: 0.03021, schedule: gauss-seidel}
)");
  EXPECT_EQ(s.structural.size(), 1u);
  EXPECT_LT(s.spectral_radius, 0.999);
}

TEST(Stability, an_eigenvalue_1_that_only_the_coupling_makes_is_not_excused) {
  // x' = -x, y = x, u = y with gain such that x+ = x: e^-h + g (1 - e^-h) = 1 for g = 1, where the coupled equations
  // have a pole at 0; with fresh values z = 1 for g = 1 exactly. For g just above 1 the coupled equations are unstable
  // and so is the step.
  const auto marginal = analyse(R"(
seam: 1
subsystems: {a: {model: state-space, set: {A: [[-1]], B: [[1]], C: [[1]]}}}
connections: [{from: a.y, to: a.u, gain: 1}]
plan: {step: 0.1}
)");
  EXPECT_EQ(marginal.structural.size(), 1u);
  const auto unstable = analyse(R"(
seam: 1
subsystems: {a: {model: state-space, set: {A: [[-1]], B: [[1]], C: [[1]]}}}
connections: [{from: a.y, to: a.u, gain: 1.001}]
plan: {step: 0.1}
)");
  EXPECT_TRUE(unstable.structural.empty());
  EXPECT_GT(unstable.spectral_radius, 1.0);
}

TEST(Stability, coupled_equations_grow_by_themselves_only_if_a_pole_is_surely_not_a_split_pole_at_zero) {
  analysis::Stability s;
  s.monolithic_poles = {{-0.15, 8.7}, {-0.15, -8.7}, {2.8e-5, 0.0}, {-2.8e-5, 0.0}};  // a body that drifts freely
  EXPECT_FALSE(s.undamped_pole());
  s.monolithic_poles = {{-0.15, 8.7}, {-0.15, -8.7}, {2.8e-5, 0.0}, {-0.3, 0.0}};
  EXPECT_EQ(s.undamped_pole(), std::complex<double>(2.8e-5, 0.0));
  s.monolithic_poles = {{-0.15, 8.7}, {-0.15, -8.7}, {1.4, 0.0}, {-1.4, 0.0}};  // a pendulum that stands upright
  EXPECT_EQ(s.undamped_pole(), std::complex<double>(1.4, 0.0));
}

TEST(Stability, a_delay_has_no_monolithic_poles_and_says_why_but_its_step_has_a_radius) {
  const auto s = analyse(R"(
seam: 1
subsystems:
  a: {model: state-space, set: {A: [[-1]], B: [[-1]], C: [[1]]}}
  d: {model: delay, set: {time: 0.3}}
connections: [a.y -> d.u, d.y -> a.u]
plan: {step: 0.1}
)");
  EXPECT_FALSE(s.monolithic_poles);
  EXPECT_NE(s.monolithic_reason.find("\"d\""), std::string::npos);
  EXPECT_LT(s.spectral_radius, 1.0);
  EXPECT_EQ(s.exactness, analysis::Exactness::exact);
}

// A pole at 1e-4 beside one at -1e9 is slow, not zero.
TEST(Stability, a_slow_unstable_pole_beside_a_fast_one_is_not_called_structural) {
  const auto s = analyse(R"(
seam: 1
subsystems:
  a: {model: state-space, set: {A: [[1e-4]], B: [[1]], C: [[1]]}}
  b: {model: state-space, set: {A: [[-1e9]], B: [[1]], C: [[1]]}}
connections: [{from: a.y, to: b.u, gain: 1}, {from: b.y, to: a.u, gain: 0}]
plan: {step: 1e-7}
)");
  EXPECT_TRUE(s.structural.empty());
  EXPECT_GT(s.spectral_radius, 1.0);
}

// A saturated controller passes nothing on: the operating point is that of the live sources.
TEST(Stability, a_nonlinear_system_is_linearised_where_its_sources_put_it) {
  const auto radius = [](const char* reference) {
    return analyse(std::string(R"(
seam: 1
subsystems:
  r: {model: constant, set: {value: )") +
                   reference + R"(}}
  e: {model: sum, set: {gains: [1, -1]}}
  l: {model: limiter, set: {low: -1, high: 1}}
  p: {model: state-space, set: {A: [[-1]], B: [[50]], C: [[1]]}}
connections: [r.y -> e.u1, p.y -> e.u2, e.y -> l.u, l.y -> p.u]
plan: {step: 0.1, feedthrough: fresh}
)")
        .spectral_radius;
  };
  EXPECT_GT(radius("0"), 1.0);
  EXPECT_NEAR(radius("10"), std::exp(-0.1), 1e-9);
}

// Units must not decide: the same pair in newtons and in meganewtons.
TEST(Stability, does_not_depend_on_the_units_of_what_is_exchanged) {
  testing::PairOfMasses pair;
  pair.step = 0.02;
  const auto plain = engine::analyse(pair.system());
  std::string text = pair.yaml();
  text.replace(text.find("- left.F -> right.F_in"), std::string("- left.F -> right.F_in").size(),
               "- {from: left.F, to: big.u, gain: 1e9}\n  - {from: big.y, to: right.F_in, gain: 1e-9}");
  text.replace(text.find("  right:"), 0, "  big: {model: gain, set: {k: 1}}\n");
  text += "  subsystems: {big: {feedthrough: fresh}}\n";
  const auto scaled = engine::analyse(engine::open_text(text, "scaled.yaml", {}));
  EXPECT_NEAR(plain.spectral_radius, scaled.spectral_radius, 1e-12);
}

/// Masses in a row, each with a spring to the next that integrates the other's velocity: a structural eigenvalue each.
std::string row_by_velocities(int count, const std::string& plan) {
  std::string subsystems, connections;
  for (int i = 0; i < count; ++i) {
    subsystems += fmt::format(
        "  s{}: {{model: mass-chain, set: {{masses: [{}], to_ground: {{k: 10, d: 0.1}}, coupling: [{}{}]}}}}\n", i,
        0.1 + 0.01 * i, i > 0 ? "{kind: force, name: l}, " : "",
        i + 1 < count ? "{kind: spring-velocity, name: r, k: 12, d: 0.2}" : "");
    if (i + 1 < count)
      connections += fmt::format("  - s{0}.F_r -> s{1}.F_in_l\n  - s{1}.v1 -> s{0}.v_in_r\n", i, i + 1);
  }
  return fmt::format("seam: 1\nsubsystems:\n{}connections:\n{}plan: {}\n", subsystems, connections, plan);
}

TEST(SpectralRadius, of_large_systems_beside_structural_eigenvalues_is_that_of_the_whole_spectrum) {
  for (const char* plan :
       {"{step: 5 ms}", "{step: 21.8 ms}", "{step: 30 ms, coupling: soh}", "{step: 5 ms, coupling: hinf}"}) {
    base::Problems problems;
    engine::System system = engine::open_text(row_by_velocities(20, plan), "row.yaml", {});
    analysis::complete_compensators(system.description, system.plan, problems);
    const engine::Live live = engine::make_live(system, {engine::Horizon::none});
    const coupling::Memory memory = coupling::start(live.program);
    const auto equations = analysis::equation_poles(*live.assembly, 0.0);
    EXPECT_EQ(equations.at_zero, 19);
    std::string reason;
    const auto whole = analysis::stability(live.program, memory, reason);
    ASSERT_TRUE(whole) << reason;
    const auto modes = analysis::step_modes(live.program, memory, equations, 0.0);
    ASSERT_TRUE(modes);
    EXPECT_NEAR(modes->radius, whole->spectral_radius, 1e-11) << plan;
  }
}

}  // namespace
}  // namespace seam
