#include "seam/load/plan_file.hpp"

#include "load/system_file_reader.hpp"

namespace seam::load {
namespace {

const std::string system_text = R"(seam: 1
subsystems: {a: {model: m}, b: {model: m}}
experiment: {start: 1 s, stop: 2 s}
plan: {step: 1 ms, coupling: foh}
record: {every: 5 ms}
)";

system::SystemDescription with_plan(const std::string& plan) {
  base::Problems problems;
  const PlanSections sections = read_plan_text(plan, "p.yaml", problems);
  auto description = read_system_text(system_text, "s.yaml", problems, {sections, {}, {}});
  EXPECT_TRUE(problems.empty()) << problems.text();
  return description.value_or(system::SystemDescription{});
}

TEST(PlanFile, wins_key_by_key_and_leaves_the_rest) {
  const auto d = with_plan("seam: 1\nplan: {step: 2 ms}\nexperiment: {stop: 9 s}\n");
  EXPECT_EQ(d.plan.step, 2e-3);
  EXPECT_EQ(d.plan.coupling->coupling->name, "foh");
  EXPECT_EQ(d.experiment.start, 1.0);
  EXPECT_EQ(d.experiment.stop, 9.0);
  EXPECT_EQ(d.record.every, 5e-3);
}

TEST(PlanFile, problems_of_a_merged_plan_are_in_the_file_that_has_them) {
  base::Problems problems;
  const PlanSections sections = read_plan_text("seam: 1\nplan:\n  stepp: 2 ms\n", "p.yaml", problems);
  read_system_text(system_text, "s.yaml", problems, {sections, {}, {}});
  EXPECT_NE(problems.text().find("p.yaml:3:3: \"stepp\" is not a key of plan"), std::string::npos) << problems.text();
}

TEST(PlanFile, cannot_alter_the_system) {
  base::Problems problems;
  read_plan_text("seam: 1\nconnections: []\n", "p.yaml", problems);
  EXPECT_NE(problems.text().find("\"connections\" is not a key of a plan file"), std::string::npos) << problems.text();
}

TEST(PlanFile, that_cannot_be_read_is_a_problem) {
  base::Problems problems;
  read_plan_file("no/such/file.yaml", problems);
  EXPECT_EQ(problems.size(), 1u);
  read_plan_text("[1]", "p.yaml", problems);
  EXPECT_EQ(problems.size(), 2u);
}

TEST(PlanFile, inputs_are_a_file_or_values) {
  base::Problems problems;
  const auto read = [&](const std::string& inputs) {
    system::SystemDescription description;
    apply(read_plan_text("seam: 1\nexperiment: {inputs: " + inputs + "}\n", "p.yaml", problems), description, problems);
    return description.experiment.inputs;
  };
  EXPECT_EQ(read("u.csv").file, "u.csv");
  const system::FreeInputs values = read("{a.u: 3 N, b.w: true}");
  EXPECT_TRUE(problems.empty()) << problems.text();
  ASSERT_EQ(values.values.size(), 2u);
  EXPECT_EQ(values.values[0].path, "a.u");
  EXPECT_EQ(values.values[0].value.unit, "N");
  EXPECT_TRUE(values.values[1].value.boolean);
  read("[u.csv]");
  EXPECT_EQ(problems.size(), 1u);
}

}  // namespace
}  // namespace seam::load
