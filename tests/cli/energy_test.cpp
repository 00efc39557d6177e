// The energy that the coupling adds, on the example of Chen 2021 (thesis), Figs 2.17 and 2.18, and what is printed of
// bonds.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/command.hpp"

namespace seam::cli {
namespace {

const std::string example = SEAM_SOURCE_DIR "/examples/energy/force-velocity.yaml";

/// The bond of the example after a run with these flags.
formats::Value bond_of(const Words& flags, const Folder& folder = {}) {
  Words words{"run", example, "-o", "r.csv"};
  words.insert(words.end(), flags.begin(), flags.end());
  const Ran ran = folder.seam(words);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const formats::Value summary = folder.json("r.summary.json");
  const formats::Value* bond = summary.find("bonds") ? summary.find("bonds")->find("spring") : nullptr;
  EXPECT_TRUE(bond);
  return bond ? *bond : formats::Value();
}

TEST(EnergyExample, rough_and_accurate_energies_are_those_of_figure_2_17) {
  const formats::Value fresh = bond_of({});
  EXPECT_NEAR(-number(fresh, "delta_E"), 0.011921, 5e-7);
  EXPECT_NEAR(-number(fresh, "delta_E_micro"), 0.004792, 5e-7);
  EXPECT_NEAR(number(fresh, "energy_added"), 0.004792, 5e-7);
  const formats::Value held = bond_of({"--feedthrough", "held"});
  EXPECT_NEAR(-number(held, "delta_E"), 0.012203, 5e-7);
  EXPECT_NEAR(-number(held, "delta_E_micro"), 0.004916, 5e-7);
}

TEST(EnergyExample, energy_grows_with_the_step_as_in_figure_2_18) {
  const std::vector<std::pair<std::string, double>> list{{"2ms", 0.001072},  {"5ms", 0.004792},  {"10ms", 0.013419},
                                                         {"15ms", 0.027351}, {"20ms", 0.054787}, {"25ms", 0.121028}};
  for (const auto& [step, energy] : list)
    EXPECT_NEAR(number(bond_of({"--step", step}), "energy_added"), energy, 5e-7) << step;
  // the reference took 167 whole steps of 30 ms
  const formats::Value longest = bond_of({"--step", "30ms", "--stop", "5.01s"});
  EXPECT_NEAR(number(longest, "energy_added"), 0.334842, 5e-7);
  EXPECT_NEAR(-number(longest, "delta_E"), 0.672293, 5e-7);
}

TEST(EnergyExample, columns_end_at_what_the_summary_says) {
  const Folder folder;
  const formats::Value bond = bond_of({}, folder);
  const formats::Table table = folder.table("r.csv");
  const std::vector<double>*power = table.find("bond.spring.delta_P"), *rough = table.find("bond.spring.delta_E"),
        *micro = table.find("bond.spring.delta_E_micro");
  ASSERT_TRUE(power && rough && micro && table.find("defect.right.F_in") && table.find("defect.left.v_in"));
  EXPECT_EQ(rough->front(), 0.0);
  EXPECT_NEAR(rough->back(), number(bond, "delta_E"), 1e-15);
  EXPECT_NEAR(micro->back(), number(bond, "delta_E_micro"), 1e-15);
  double sum = 0.0;
  for (const double p : *power) sum += p * 5e-3;
  EXPECT_NEAR(sum, rough->back(), 1e-12);
}

TEST(EnergyExample, run_warns_of_a_coupling_that_pumps) {
  const Folder folder;
  const Ran ran = folder.seam({"run", example});
  EXPECT_EQ(count(ran.err, "the coupling added 0.00479"), 1u) << ran.err;
  EXPECT_EQ(count(ran.err, "warning: the coupling pumps energy into spring"), 1u) << ran.err;
  EXPECT_EQ(count(ran.err, "the largest coupling defect is at "), 1u) << ran.err;
  const Ran better = folder.seam({"run", example, "--coupling", "soh"});
  EXPECT_EQ(better.exit_code, 0) << better.err;
  EXPECT_EQ(count(better.err, "warning"), 0u) << better.err;
}

TEST(EnergyExample, a_correction_that_nobody_makes_is_not_recorded_without_a_word) {
  const Folder folder;
  folder.write("plan.yaml", "seam: 1\nrecord: {coupling: [correction]}\n");
  const Ran ran = folder.seam({"run", example, "--plan", "plan.yaml"});
  EXPECT_EQ(count(ran.err, "there is no corrector, so there is no correction to record"), 1u) << ran.err;
}

TEST(EnergyExample, check_says_what_the_bonds_are) {
  const Folder folder("system.yaml", R"(seam: 1
subsystems:
  l: {model: mass-chain, set: {masses: [1], coupling: {kind: spring, k: 1}}}
  r: {model: mass-chain, set: {masses: [1], coupling: {kind: force}}}
connections: [l.F -> r.F_in, r.v1 -> l.v_in, r.x1 -> l.x_in]
experiment: {stop: 1}
plan: {step: 0.1}
)");
  const Ran ran = folder.seam({"check", "system.yaml"});
  EXPECT_EQ(count(ran.out + ran.err,
                  "bond l-r, recognised by units: effort l.F -> r.F_in, flow r.v1 -> l.v_in, power "
                  "positive l -> r"),
            1u)
      << ran.out << ran.err;
  const Ran declared = folder.seam({"check", example, "--json"});
  EXPECT_EQ(json(declared.out).find("bonds")->find("spring")->find("origin")->string(), "declared");
}

TEST(EnergyExample, printed_file_and_package_keep_the_bond) {
  const Folder folder;
  const Ran printed = folder.seam({"check", example, "--print-resolved"});
  EXPECT_EQ(count(printed.out, "bond: spring"), 1u) << printed.out;
  folder.write("printed.yaml", printed.out);
  const Ran again = folder.seam({"check", "printed.yaml", "--print-resolved"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(count(again.out, "positive: left -> right"), 1u);
  ASSERT_EQ(folder.seam({"convert", example, "-o", "made.ssp"}).exit_code, 0);
  const Ran back = folder.seam({"convert", "made.ssp", "-o", "back.json"});
  ASSERT_EQ(back.exit_code, 0) << back.err;
  ASSERT_EQ(folder.seam({"convert", example, "-o", "direct.json"}).exit_code, 0);
  EXPECT_EQ(folder.read("back.json"), folder.read("direct.json"));
  ASSERT_EQ(folder.seam({"run", "made.ssp", "-o", "r.csv"}).exit_code, 0);
  EXPECT_NEAR(number(*folder.json("r.summary.json").find("bonds")->find("spring"), "energy_added"), 0.004792, 5e-7);
}

TEST(EnergyExample, plan_may_couple_by_the_name_of_a_bond) {
  const Folder folder;
  folder.write("p.yaml", "seam: 1\nplan: {connections: {spring: foh}}\n");
  const Ran ran = folder.seam({"check", example, "--plan", "p.yaml", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const formats::Value checked = json(ran.out);
  const formats::Value* connections = checked.find("plan")->find("connections");
  EXPECT_EQ(connections->find("right.F_in")->string(), "foh");
  EXPECT_EQ(connections->find("left.v_in")->string(), "foh");
}

}  // namespace
}  // namespace seam::cli
