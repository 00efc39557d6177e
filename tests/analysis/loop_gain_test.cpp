#include "seam/analysis/loop_gain.hpp"

#include <gtest/gtest.h>

#include "support/pair.hpp"

namespace seam::analysis {
namespace {

Loop of_owner(const testing::PairOfMasses& pair, const Band& band = {}) {
  const engine::Live live = engine::make_live(pair.system(), {engine::Horizon::none});
  assembly::initialise(*live.assembly, 0.0);
  std::string reason;
  const auto linear = linear_parts(*live.assembly, 0.0, reason);
  const std::vector<Loop> loops = loop_gains(*live.assembly, *linear, band);
  EXPECT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops.front().name, "left");
  return loops.front();
}

// Reference B, "Loop gain and causality": spring owner, receiver of the force.
TEST(LoopGain, norms_of_the_benchmark_are_those_of_the_independent_reproduction) {
  struct Row {
    double owner, receiver, norm, frequency;
  };
  for (const Row& row : {Row{0.1, 0.1, 3.579327074, 14.072634}, Row{0.1, 0.2, 4.767227477, 7.050921},
                         Row{0.1, 0.5, 9.955306352, 4.469287}, Row{0.1, 1, 14.989977133, 3.161396},
                         Row{0.2, 0.1, 50.622879784, 10.024606}, Row{0.5, 0.1, 13.430140035, 9.953999},
                         Row{1, 0.1, 14.024205499, 4.479971}}) {
    testing::PairOfMasses pair;
    pair.m1 = row.owner;
    pair.m2 = row.receiver;
    const Loop loop = of_owner(pair);
    EXPECT_NEAR(loop.peak.norm, row.norm, 1e-9 * row.norm) << row.owner << " " << row.receiver;
    EXPECT_NEAR(loop.peak.frequency, row.frequency, 1e-5 * row.frequency);
    EXPECT_NEAR(loop.in_band, row.norm, 1e-6 * row.norm);  // all frequencies are a band, too
  }
}

TEST(LoopGain, of_subsystems_in_a_row_does_not_exist) {
  const engine::System system = engine::open_text(
      "seam: 1\nsubsystems:\n  s: {model: sine, set: {frequency: 1}}\n"
      "  m: {model: mass-chain, set: {masses: [1], to_ground: {k: 10, d: 1}}}\n"
      "  f: {model: transfer-function, set: {num: [1], den: [0.1, 1]}}\n  g: {model: gain, set: {k: 2}}\n"
      "connections:\n  - {from: s.y, to: m.f1, unit: as-is}\n  - {from: m.x1, to: f.u, unit: as-is}\n"
      "  - f.y -> g.u\nexperiment: {stop: 1}\nplan: {step: 10 ms}\n",
      "row.yaml", {});
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  assembly::initialise(*live.assembly, 0.0);
  std::string reason;
  const auto linear = linear_parts(*live.assembly, 0.0, reason);
  EXPECT_TRUE(loop_gains(*live.assembly, *linear, {}).empty());
  EXPECT_LE(loop_gain(*live.assembly, *linear, 2, {0.1, 1.0})->peak.norm, 1e-15);
}

// m x'' + d x' + k x = F, seen far above its resonance: F to x falls with 1/(m w^2), F to v with 1/(m w).
TEST(LoopGain, in_a_band_above_all_resonances_is_that_of_its_lowest_frequency) {
  testing::PairOfMasses pair;
  const double f = 50.0, w = 2.0 * M_PI * f;
  const std::complex<double> s{0.0, w};
  const std::complex<double> mass = 1.0 / (pair.m2 * s * s + pair.d2 * s + pair.k2);
  const std::complex<double> own = pair.kc + pair.dc * s;
  const std::complex<double> owner = pair.m1 * s * s + (pair.d1 + pair.dc) * s + pair.k1 + pair.kc;
  const std::complex<double> force = own * (1.0 - own / owner);  // of the spring for x2, the owner moving along
  EXPECT_NEAR(of_owner(pair, {f, 1e4}).in_band, std::abs(force * mass), 1e-9);
}

/// Masses in a row, each with a spring to the next that it owns.
std::string row_of_masses(int count) {
  std::string subsystems, connections;
  for (int i = 0; i < count; ++i) {
    const std::string left = i > 0 ? "{kind: force, name: l}, " : "";
    const std::string right = i + 1 < count ? "{kind: spring, name: r, k: 12, d: 0.2}" : "";
    subsystems += fmt::format(
        "  s{}: {{model: mass-chain, set: {{masses: [{}], to_ground: {{k: {}, d: 0.1}}, coupling: [{}{}]}}}}\n", i,
        0.1 + 0.01 * (i % 3), 10 + i % 5, left, right);
    if (i + 1 < count)
      connections += fmt::format(
          "  - s{0}.F_r -> s{1}.F_in_l\n  - s{1}.x1 -> s{0}.x_in_r\n  - s{1}.v1 -> s{0}.v_in_r\n", i, i + 1);
  }
  return fmt::format("seam: 1\nsubsystems:\n{}connections:\n{}plan: {{step: 5 ms}}\n", subsystems, connections);
}

// Large systems are looked at in modal coordinates, all loops from one set of modes.
TEST(LoopGain, of_many_members_is_that_of_each_loop_by_itself) {
  const engine::System system = engine::open_text(row_of_masses(60), "row.yaml", {});
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  assembly::initialise(*live.assembly, 0.0);
  std::string reason;
  const auto linear = linear_parts(*live.assembly, 0.0, reason);
  ASSERT_TRUE(linear) << reason;
  const std::vector<Loop> loops = loop_gains(*live.assembly, *linear, {5.0, 100.0});
  ASSERT_EQ(loops.size(), 60u);
  for (const int member : {0, 1, 30, 59}) {
    const Loop one = loop_gain(*live.assembly, *linear, member, {5.0, 100.0}).value();
    const Loop& found = loops[static_cast<std::size_t>(member)];
    EXPECT_NEAR(found.peak.norm, one.peak.norm, 1e-9 * one.peak.norm) << member;
    EXPECT_NEAR(found.peak.frequency, one.peak.frequency, 1e-5 * one.peak.frequency) << member;
    EXPECT_NEAR(found.in_band, one.in_band, 1e-9 * one.in_band) << member;
    EXPECT_EQ(found.peak.poles, one.peak.poles);
  }
}

}  // namespace
}  // namespace seam::analysis
