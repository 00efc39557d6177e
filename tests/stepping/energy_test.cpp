#include "seam/stepping/energy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "seam/engine/run/run.hpp"
#include "seam/stepping/run.hpp"
#include "support/pair.hpp"

namespace seam::stepping {
namespace {

struct Watched {
  std::vector<BondEnergy> bonds;
  std::vector<Defect> defects;
  std::vector<Column> columns;
  double last = 0.0;  ///< output of the first column at the end
};

Watched watch(const std::string& text, const engine::Changes& changes = {}) {
  const engine::System system = engine::open_text(text, "test.yaml", changes);
  engine::LiveOptions options;
  options.watching = engine::Watching::the_coupling;
  engine::Live live = engine::make_live(system, options);
  coupling::Memory memory = coupling::start(live.program);
  RunOptions run_options;
  EXPECT_EQ(run(live.program, memory, run_options, {}).ending, Ending::completed);
  Watched watched;
  if (live.monitors.energy) watched.bonds = live.monitors.energy->energies(memory);
  if (live.monitors.energy) watched.columns = live.monitors.energy->columns();
  if (live.monitors.defect) watched.defects = live.monitors.defect->defects(memory);
  watched.last = memory.values[static_cast<std::size_t>(live.program.output_place(0, 0))];
  return watched;
}

/// a sends the effort t and b the flow 2; neither depends on its input.
struct Ramp {
  std::string bond = "{bond: r, effort: a.y -> b.u, flow: b.y -> a.u}";
  std::string plan = "coupling: zoh";
  std::string stop = "1";
  std::string record = "record: {coupling: [energy, defect]}\n";
  std::string yaml() const {
    return "seam: 1\nsubsystems:\n"
           "  a: {model: state-space, set: {A: [[0, 1], [0, 0]], B: [[0], [0]], C: [[1, 0]], x0: [0, 1]}}\n"
           "  b: {model: state-space, set: {A: [[0]], B: [[0]], C: [[1]], x0: [2]}}\nconnections: [" +
           bond + "]\nexperiment: {stop: " + stop + "}\nplan: {step: 0.1, " + plan + "}\n" + record;
  }
};

TEST(Energy, zero_order_hold_of_a_ramp_takes_what_can_be_computed) {
  // delta_P = 2 nH - 2 (n-1)H = 2H at every point; inside a step 2 s h, whose left sum is H^2 (1 - 1/m)
  const Watched ran = watch(Ramp().yaml());
  ASSERT_EQ(ran.bonds.size(), 1u);
  EXPECT_NEAR(ran.bonds[0].delta_power, 0.2, 1e-12);
  EXPECT_NEAR(ran.bonds[0].largest_delta_power, 0.2, 1e-12);
  EXPECT_NEAR(ran.bonds[0].delta, 0.2, 1e-12);
  ASSERT_TRUE(ran.bonds[0].delta_micro);
  EXPECT_NEAR(*ran.bonds[0].delta_micro, 0.1 * (1.0 - 0.1), 1e-12);
  EXPECT_NEAR(ran.bonds[0].added(), -0.09, 1e-12);
  // through: the mean of sum 2 nH H and sum 2 (n-1)H H
  EXPECT_NEAR(ran.bonds[0].through, 0.5 * (1.1 + 0.9), 1e-12);
}

TEST(Energy, finer_micro_steps_come_closer_to_the_integral) {
  for (const int m : {2, 5, 20, 100}) {
    Ramp ramp;
    ramp.plan = fmt::format("subsystems: {{\"*\": {{micro_step: {:.17g}}}}}", 0.1 / m);
    EXPECT_NEAR(*watch(ramp.yaml()).bonds[0].delta_micro, 0.1 * (1.0 - 1.0 / m), 1e-12) << m;
  }
}

TEST(Energy, exact_coupling_adds_none) {
  Ramp ramp;
  ramp.plan = "coupling: foh";
  // only the first step, where the hold has one sample, is wrong
  const Watched held = watch(ramp.yaml());
  EXPECT_NEAR(held.bonds[0].delta, 2.0 * 0.1 * 0.1, 1e-12);
  EXPECT_NEAR(held.bonds[0].delta_power, 0.0, 1e-12);
  // and one after the other nothing is: b hears the very value at the end of its step
  ramp.plan = "schedule: {gauss-seidel: [a, b]}";
  EXPECT_NEAR(watch(ramp.yaml()).bonds[0].delta, 0.0, 1e-12);
}

TEST(Energy, positive_says_whose_power_comes_first) {
  Ramp ramp;
  ramp.bond = "{bond: r, effort: a.y -> b.u, flow: b.y -> a.u, positive: b -> a}";
  const Watched turned = watch(ramp.yaml());
  EXPECT_NEAR(turned.bonds[0].delta, -0.2, 1e-12);
  EXPECT_NEAR(turned.bonds[0].added(), 0.09, 1e-12);
  EXPECT_NEAR(turned.bonds[0].through, watch(Ramp().yaml()).bonds[0].through, 1e-15);
  ramp.bond = "{bond: r, flow: a.y -> b.u, effort: b.y -> a.u, positive: a -> b}";  // which is called effort
  EXPECT_NEAR(watch(ramp.yaml()).bonds[0].delta, 0.2, 1e-12);
}

TEST(Energy, counts_values_as_they_are_sent) {
  Ramp ramp;
  ramp.bond = "{bond: r, effort: {from: a.y, to: b.u, gain: 1000, offset: 7}, flow: {from: b.y, to: a.u, gain: -0.5}}";
  const Watched ran = watch(ramp.yaml());
  EXPECT_NEAR(ran.bonds[0].delta, 0.2, 1e-12);
  EXPECT_NEAR(*ran.bonds[0].delta_micro, 0.09, 1e-12);
}

TEST(Energy, each_side_counts_its_own_steps) {
  Ramp ramp;
  ramp.plan = "subsystems: {b: {step: 0.2}}";
  // a: sum 2 nH H over 10 steps = 1.1; b hears the ramp as it was at the start of its steps: sum 2 (2kH) 2H over 5 =
  // 0.8
  EXPECT_NEAR(watch(ramp.yaml()).bonds[0].delta, 1.1 - 0.8, 1e-12);
}

TEST(Energy, shorter_last_step_counts_for_what_it_is) {
  Ramp ramp;
  ramp.stop = "0.25";
  // two whole steps of 2H^2 = 0.02 and half of one: delta_P = 2 (0.25 - 0.2)
  const Watched ran = watch(ramp.yaml());
  EXPECT_NEAR(ran.bonds[0].delta, 2 * 0.02 + 0.1 * 0.05, 1e-12);
  // its five micro steps: 2 (0 + 1 + 2 + 3 + 4) h h
  EXPECT_NEAR(*ran.bonds[0].delta_micro, 2 * 0.009 + 2 * 10 * 1e-4, 1e-12);
}

testing::PairOfMasses springs() {
  testing::PairOfMasses pair;
  pair.kind = "spring-velocity";
  pair.step = 5e-3;
  return pair;
}

TEST(Energy, does_not_depend_on_who_is_called_first) {
  const std::string first =
      "  l: {model: mass-chain, set: {masses: [0.1], to_ground: {k: 10, d: 0.1}, x0: [1], coupling: "
      "{kind: spring-velocity, k: 10, d: 0.1}}}\n";
  const std::string second =
      "  r: {model: mass-chain, set: {masses: [0.2], to_ground: {k: 10, d: 0.1}, coupling: {kind: force}}}\n";
  const std::string rest = "experiment: {stop: 1}\nplan: {step: 5 ms}\nrecord: {coupling: [energy]}\n";
  const Watched one =
      watch("seam: 1\nsubsystems:\n" + first + second + "connections: [l.F -> r.F_in, r.v1 -> l.v_in]\n" + rest);
  const Watched other =
      watch("seam: 1\nsubsystems:\n" + second + first + "connections: [r.v1 -> l.v_in, l.F -> r.F_in]\n" + rest);
  ASSERT_EQ(one.bonds.size(), 1u);
  ASSERT_EQ(other.bonds.size(), 1u);
  EXPECT_GT(one.bonds[0].added(), 1e-3);
  EXPECT_NEAR(one.bonds[0].delta, other.bonds[0].delta, 1e-15);
  EXPECT_NEAR(*one.bonds[0].delta_micro, *other.bonds[0].delta_micro, 1e-15);
}

TEST(Energy, is_in_joules_and_two_signs_turned_round_change_nothing) {
  const std::string plain = springs().yaml();
  // the same with both signs turned round: two wrongs make a right
  std::string scaled = plain;
  const std::string arrow = "- left.F -> right.F_in";
  scaled.replace(scaled.find(arrow), arrow.size(), "- {from: left.F, to: right.F_in, gain: -1}");
  const std::string back = "- right.v1 -> left.v_in";
  scaled.replace(scaled.find(back), back.size(), "- {from: right.v1, to: left.v_in, gain: -1}");
  const Watched a = watch(plain), b = watch(scaled);
  EXPECT_EQ(a.columns[0].unit, "W");
  EXPECT_EQ(a.columns[1].unit, "J");
  EXPECT_NEAR(a.bonds[0].delta, b.bonds[0].delta, 1e-12);
}

TEST(Energy, micro_points_are_there_only_if_the_run_stays_the_same) {
  testing::PairOfMasses pair = springs();
  const std::string energy = "record: {coupling: [energy]}\n";
  for (const char* solver : {"euler", "rk4", "exact", "cvode"}) {
    pair.solver = solver;
    for (const char* solver_step : {"", "1 ms"}) {
      pair.solver_step = solver_step;
      const Watched without = watch(pair.yaml()), with = watch(pair.yaml() + energy);
      EXPECT_NEAR(without.last, with.last, 1e-12) << solver << solver_step;
      EXPECT_FALSE(without.bonds[0].delta_micro) << solver;
      const bool possible = solver == std::string("exact") || (solver != std::string("cvode") && *solver_step);
      EXPECT_EQ(with.bonds[0].delta_micro.has_value(), possible) << solver << solver_step;
      EXPECT_EQ(with.columns.size(), possible ? 3u : 2u);
    }
  }
}

TEST(Energy, steps_that_are_split_anyway_have_micro_points_unasked) {
  testing::PairOfMasses pair = springs();
  pair.coupling = "{foh: {samples: micro}}";
  EXPECT_TRUE(watch(pair.yaml()).bonds[0].delta_micro);
}

TEST(Energy, is_left_alone_where_events_are_shared) {
  Ramp ramp;
  ramp.record = "";
  ramp.plan = "events: shared";
  EXPECT_TRUE(watch(ramp.yaml()).bonds.empty());
  ramp.record = "record: {coupling: [energy]}\n";
  EXPECT_THROW(watch(ramp.yaml()), base::ProblemsFound);
}

TEST(Energy, that_nobody_can_see_is_a_problem) {
  Ramp ramp;
  ramp.bond = "a.y -> b.u, b.y -> a.u";
  EXPECT_THROW(watch(ramp.yaml()), base::ProblemsFound);
}

TEST(Defect, of_a_zero_order_hold_on_a_ramp_is_one_step_of_it) {
  const Watched ran = watch(Ramp().yaml());
  ASSERT_EQ(ran.defects.size(), 2u);
  EXPECT_NEAR(ran.defects[0].largest, 0.1, 1e-12);
  EXPECT_NEAR(ran.defects[0].rms, 0.1, 1e-12);
  EXPECT_NEAR(ran.defects[0].signal, std::sqrt(0.385), 1e-12);  // mean of (nH)^2
  EXPECT_EQ(ran.defects[1].largest, 0.0);
}

TEST(Defect, is_in_the_sinks_values) {
  Ramp ramp;
  ramp.bond = "{bond: r, effort: {from: a.y, to: b.u, gain: -20, offset: 3}, flow: b.y -> a.u}";
  EXPECT_NEAR(watch(ramp.yaml()).defects[0].rms, 2.0, 1e-12);
}

TEST(Defect, is_looked_at_where_both_have_arrived) {
  Ramp ramp;
  ramp.plan = "subsystems: {b: {step: 0.2}}";
  const Watched ran = watch(ramp.yaml());
  EXPECT_NEAR(ran.defects[0].rms, 0.2, 1e-12);
  ramp.plan = "subsystems: {a: {step: 0.2}}";  // b hears at 0.2 what a said at 0
  EXPECT_NEAR(watch(ramp.yaml()).defects[0].rms, 0.2, 1e-12);
}

}  // namespace
}  // namespace seam::stepping
