#include "seam/analysis/connection_loop.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "seam/analysis/stability.hpp"
#include "seam/analysis/transition.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "support/pair.hpp"

namespace seam::analysis {
namespace {

struct Opened {
  engine::System system;
  engine::Live live;
  Transition whole;
  ConnectionLoop loop;
};

Opened opened(const testing::PairOfMasses& pair, int wire) {
  Opened result{pair.system(), {}, {}, {}};
  result.live = engine::make_live(result.system, {engine::Horizon::none});
  std::string reason;
  result.whole = *transition(result.live.program, coupling::start(result.live.program), reason);
  result.loop =
      open_connections(*result.live.assembly, result.system.plan, result.whole.matrix)[static_cast<std::size_t>(wire)];
  EXPECT_TRUE(result.loop.is_open()) << result.loop.reason;
  return result;
}

/// The spectral radius with the gain of one connection multiplied, from the code that runs.
double radius_with(Opened& opened, int wire, double factor) {
  const auto gain = [&]() -> double& { return opened.live.assembly->wires[static_cast<std::size_t>(wire)].gain; };
  const double kept = gain();
  gain() *= factor;
  base::Problems problems;
  const auto program = coupling::compile(*opened.live.assembly, opened.system.plan, {}, problems);
  std::string reason;
  const auto step = transition(*program, coupling::start(*program), reason);
  gain() = kept;  // a start moves the wires: no reference to one survives it
  return lti::spectral_radius(step->matrix);
}

class Opening : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Plans, Opening,
                         ::testing::Values(std::pair{"zoh", "held"}, std::pair{"foh", "held"},
                                           std::pair{"zoh", "fresh"}, std::pair{"soh", "fresh"}));

TEST_P(Opening, gain_margins_are_where_the_spectral_radius_passes_one) {
  testing::PairOfMasses pair;
  pair.step = 5e-3;
  pair.coupling = GetParam().first;
  pair.feedthrough = GetParam().second;
  for (int wire = 0; wire < 3; ++wire) {
    Opened open = opened(pair, wire);
    ASSERT_LT(lti::spectral_radius(open.whole.matrix), 1.0);
    const Margins found = margins(curve_of(open.loop.loop(open.whole.matrix)), open.loop.period);
    ASSERT_TRUE(found.gain_up || found.gain_down) << open.loop.connection;
    if (found.gain_up) {
      EXPECT_LT(radius_with(open, wire, *found.gain_up * (1.0 - 1e-6)), 1.0) << open.loop.connection;
      EXPECT_GT(radius_with(open, wire, *found.gain_up * (1.0 + 1e-6)), 1.0) << open.loop.connection;
    }
    if (found.gain_down) {
      EXPECT_LT(radius_with(open, wire, *found.gain_down * (1.0 + 1e-6)), 1.0) << open.loop.connection;
      EXPECT_GT(radius_with(open, wire, *found.gain_down * (1.0 - 1e-6)), 1.0) << open.loop.connection;
    }
  }
}

TEST_P(Opening, closing_the_loop_again_is_the_step) {
  testing::PairOfMasses pair;
  pair.step = 1e-2;
  pair.coupling = GetParam().first;
  pair.feedthrough = GetParam().second;
  for (int wire = 0; wire < 3; ++wire) {
    const Opened open = opened(pair, wire);
    const lti::StateSpace loop = open.loop.loop(open.whole.matrix);
    const lti::Matrix closed = loop.A + loop.B * loop.C;
    EXPECT_LT((closed - open.whole.matrix).norm(), 1e-12 * open.whole.matrix.norm());
  }
}

// x+ = x + H u, u = -k y: a delay of d steps makes L = -kH z^-d/(z - 1), whose limit is known in closed form.
TEST(Margins, of_an_integrator_in_a_loop_are_those_of_the_closed_form) {
  const double k = 2.0, H = 0.1;
  const lti::StateSpace loop{lti::Matrix::Constant(1, 1, 1.0), lti::Matrix::Constant(1, 1, H),
                             lti::Matrix::Constant(1, 1, -k), lti::Matrix::Zero(1, 1)};
  const Margins found = margins(curve_of(loop), H);
  EXPECT_NEAR(*found.gain_up, 2.0 / (k * H), 1e-9);  // the pole 1 - kH reaches -1
  EXPECT_NEAR(found.gain_up_frequency, 0.5 / H, 1e-9);
  // |L| = kH/(2 sin(w/2)) = 1, and the phase is -pi/2 - w/2 + pi - ... : 1 + kH e^{-jw(d+1/2)}/(2j sin(w/2)) = 0
  const double w = 2.0 * std::asin(0.5 * k * H);
  EXPECT_NEAR(*found.delay, (0.5 * M_PI / w - 0.5) * H, 1e-9);
}

/// Lags in a ring, each hearing the one before and, with another gain, the one after.
engine::System ring_of_lags(int count, const std::string& plan) {
  std::string subsystems, connections;
  for (int i = 0; i < count; ++i) {
    subsystems +=
        fmt::format("  s{}: {{model: state-space, set: {{A: [[-{}]], B: [[1, 0.5]], C: [[1]]}}}}\n", i, 1 + i % 4);
    connections +=
        fmt::format("  - s{0}.y -> s{1}.u1\n  - {{from: s{1}.y, to: s{0}.u2, gain: -0.3}}\n", i, (i + 1) % count);
  }
  return engine::open_text(
      fmt::format("seam: 1\nsubsystems:\n{}connections:\n{}plan: {}\n", subsystems, connections, plan), "lags.yaml",
      {});
}

// Many wires are told apart by few cuts; where they act on one another in a step, they are cut one by one.
TEST(OpenConnections, of_many_wires_are_what_goes_through_each_of_them) {
  for (const char* plan : {"{step: 0.1}", "{step: 0.1, coupling: soh}",
                           "{step: 0.1, schedule: {gauss-seidel: [s0, s1, s2, s3, s4, s5, s6, s7]}}"}) {
    const engine::System system = ring_of_lags(8, plan);
    const engine::Live live = engine::make_live(system, {engine::Horizon::none});
    std::string reason;
    const auto whole = transition(live.program, coupling::start(live.program), reason);
    ASSERT_TRUE(whole) << reason;
    const auto loops = open_connections(*live.assembly, system.plan, whole->matrix);
    ASSERT_EQ(loops.size(), 16u);
    for (std::size_t wire = 0; wire < loops.size(); ++wire) {
      ASSERT_TRUE(loops[wire].is_open()) << plan << " " << loops[wire].reason;
      const double kept = std::exchange(live.assembly->wires[wire].gain, 0.0);
      base::Problems problems;
      const auto program = coupling::compile(*live.assembly, system.plan, {}, problems);
      const auto cut = transition(*program, coupling::start(*program), reason);
      live.assembly->wires[wire].gain = kept;
      EXPECT_LT((loops[wire].loop(whole->matrix).A - cut->matrix).norm(), 1e-12) << plan << " " << wire;
    }
  }
}

TEST(OpenConnections, curves_from_one_set_of_modes_are_those_of_each_loop) {
  const engine::System system = ring_of_lags(20, "{step: 0.1, coupling: foh}");
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  std::string reason;
  const auto whole = transition(live.program, coupling::start(live.program), reason);
  auto loops = open_connections(*live.assembly, system.plan, whole->matrix);
  loops.resize(5);
  const std::vector<LoopCurve> curves = curves_of(loops, whole->matrix);
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const LoopCurve own = curve_of(loops[i].loop(whole->matrix));
    for (const double angle : {1e-4, 0.01, 0.3, 1.0, 3.1}) EXPECT_LT(std::abs(curves[i](angle) - own(angle)), 1e-11);
  }
}

// Displacements that are integrated from exchanged velocities stand still in every loop, whatever its gain.
TEST(OpenConnections, gain_margins_beside_structural_eigenvalues_are_where_the_radius_passes_one) {
  constexpr int count = 14;
  std::string subsystems, connections;
  for (int i = 0; i < count; ++i) {
    subsystems += fmt::format(
        "  s{}: {{model: mass-chain, set: {{masses: [{}], to_ground: {{k: 10, d: 0.1}}, coupling: [{}{}]}}}}\n", i,
        0.1 + 0.01 * i, i > 0 ? "{kind: force, name: l}, " : "",
        i + 1 < count ? "{kind: spring-velocity, name: r, k: 12, d: 0.2}" : "");
    if (i + 1 < count)
      connections += fmt::format("  - s{0}.F_r -> s{1}.F_in_l\n  - s{1}.v1 -> s{0}.v_in_r\n", i, i + 1);
  }
  const engine::System system = engine::open_text(
      fmt::format("seam: 1\nsubsystems:\n{}connections:\n{}plan: {{step: 5 ms}}\n", subsystems, connections),
      "row.yaml", {});
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  std::string reason;
  const auto whole = transition(live.program, coupling::start(live.program), reason);
  ASSERT_TRUE(whole) << reason;
  auto loops = open_connections(*live.assembly, system.plan, whole->matrix);
  loops.resize(4);
  const std::vector<LoopCurve> curves = curves_of(loops, whole->matrix);
  for (std::size_t wire = 0; wire < loops.size(); ++wire) {
    const Margins found = margins(curves[wire], loops[wire].period);
    ASSERT_TRUE(found.gain_up) << loops[wire].connection;
    const auto radius_with = [&](double factor) {
      const double kept = live.assembly->wires[wire].gain;
      live.assembly->wires[wire].gain *= factor;
      base::Problems problems;
      const auto program = coupling::compile(*live.assembly, system.plan, {}, problems);
      const auto known = stability(*program, coupling::start(*program), reason);
      live.assembly->wires[wire].gain = kept;
      return known->spectral_radius;
    };
    EXPECT_LT(radius_with(*found.gain_up * (1.0 - 1e-6)), 1.0) << loops[wire].connection;
    EXPECT_GT(radius_with(*found.gain_up * (1.0 + 1e-6)), 1.0) << loops[wire].connection;
  }
}

TEST(OpenConnection, that_nothing_goes_through_is_said) {
  testing::PairOfMasses pair;
  pair.kc = 0.0;
  Opened result{pair.system(), {}, {}, {}};
  result.live = engine::make_live(result.system, {engine::Horizon::none});
  std::string reason;
  const auto whole = transition(result.live.program, coupling::start(result.live.program), reason);
  for (int wire = 0; wire < 3; ++wire) {
    const assembly::Wire& ends = result.live.assembly->wires[static_cast<std::size_t>(wire)];
    if (result.live.assembly->sink_name(ends) != "left.x_in") continue;
    // The displacement still arrives: something goes through, but nothing comes back.
    const ConnectionLoop loop =
        open_connections(*result.live.assembly, result.system.plan, whole->matrix)[static_cast<std::size_t>(wire)];
    ASSERT_TRUE(loop.is_open()) << loop.reason;
    EXPECT_FALSE(margins(curve_of(loop.loop(whole->matrix)), loop.period).gain_up);
  }
}

}  // namespace
}  // namespace seam::analysis
