// What a plan leaves to analysis, as a user meets it.
#include <gtest/gtest.h>

#include "cli/fmu_folder.hpp"

namespace seam::cli {
namespace {

using formats::Value;

const std::string benchmark = SEAM_SOURCE_DIR "/examples/benchmark.yaml";

TEST(Auto, run_says_what_was_chosen_and_why_and_keeps_it_in_the_summary) {
  const Folder folder;
  const Ran ran = folder.seam({"run", benchmark, "--coupling", "auto", "-o", "x.csv"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(says(ran.err, "plan.coupling: auto is soh: expected error")) << ran.err;
  const Value summary = folder.json("x.summary.json");
  const auto& chosen = summary.find("plan")->find("chosen")->items();
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].find("entry")->string(), "coupling");
  EXPECT_EQ(chosen[0].find("value")->string(), "soh");
  EXPECT_TRUE(says(chosen[0].find("why")->string(), "zoh, feed-through held"));
  EXPECT_EQ(chosen[1].find("entry")->string(), "feedthrough");
  EXPECT_EQ(chosen[1].find("value")->string(), "fresh");
  EXPECT_EQ(summary.find("plan")->find("connections")->find("left.x_in")->string(), "soh");
}

TEST(Auto, resolved_file_runs_to_the_same_result) {
  const Folder folder;
  const Words flags{"--coupling", "auto", "--step", "auto,target=0.05,around=10ms"};
  Words check{"check", benchmark, "--print-resolved"}, run{"run", benchmark, "-q", "-o", "a.csv"};
  check.insert(check.end(), flags.begin(), flags.end());
  run.insert(run.end(), flags.begin(), flags.end());
  const Ran resolved = folder.seam(check);
  ASSERT_EQ(resolved.exit_code, 0) << resolved.err;
  EXPECT_EQ(count(resolved.out, "# auto: expected error"), 3u) << resolved.out;
  folder.write("resolved.yaml", resolved.out);
  ASSERT_EQ(folder.seam(run).exit_code, 0);
  ASSERT_EQ(folder.seam({"run", "resolved.yaml", "-q", "-o", "b.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("a.csv"), folder.read("b.csv"));
}

TEST(Auto, plan_files_and_packages_keep_it_until_it_is_run) {
  const Folder folder;
  folder.write("p.yaml", "seam: 1\nplan: {coupling: auto}\n");
  EXPECT_TRUE(says(folder.seam({"check", benchmark, "--plan", "p.yaml"}).out, "coupling: auto is soh"));
  const Ran converted = folder.seam({"convert", benchmark, "--plan", "p.yaml", "-o", "b.ssp"});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  const Ran back = folder.seam({"convert", "b.ssp", "-o", "back.yaml"});
  ASSERT_EQ(back.exit_code, 0) << back.err;
  EXPECT_TRUE(says(folder.read("back.yaml"), "coupling: auto")) << folder.read("back.yaml");
  EXPECT_TRUE(says(folder.seam({"check", "b.ssp"}).out, "coupling: auto is soh"));
}

TEST(Auto, check_of_fmus_says_that_it_is_chosen_later) {
  const FmuFolder folder;
  folder.add(2, "two-mass-left-poor");
  folder.add(3, "two-mass-right-poor");
  folder.write("system.yaml",
               "seam: 1\nsubsystems: {l: {fmu: two-mass-left-poor.fmu}, r: {fmu: two-mass-right-poor.fmu}}\n"
               "connections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\nexperiment: {stop: 1}\n"
               "plan: {step: 10 ms, coupling: auto}\n");
  const Ran checked = folder.seam({"check", "system.yaml"});
  ASSERT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_TRUE(says(checked.out, "chosen by run and analyze")) << checked.out;
  EXPECT_TRUE(says(folder.seam({"check", "system.yaml", "--print-resolved"}).out, "coupling: auto"));
  const Ran ran = folder.seam({"run", "system.yaml", "-o", "x.csv"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(says(ran.err, "plan.coupling: auto is ")) << ran.err;
}

TEST(Auto, what_cannot_be_decided_is_a_problem_at_its_place) {
  const Folder folder;
  folder.write("system.yaml",
               "seam: 1\nsubsystems:\n  a: {model: transfer-function, set: {num: [1], den: [0.1, 1]}}\n"
               "  b: {model: gain, set: {k: -100}}\nconnections: [a.y -> b.u, b.y -> a.u]\nexperiment: {stop: 1 s}\n"
               "plan: {step: 0.1 s, coupling: auto}\n");
  const Ran ran = folder.seam({"run", "system.yaml", "-o", "x.csv"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_TRUE(says(ran.err, "system.yaml:7:31: what is auto in the plan cannot be decided")) << ran.err;
  EXPECT_TRUE(says(ran.err, "use a smaller step")) << ran.err;
  EXPECT_FALSE(folder.has("x.csv"));
}

}  // namespace
}  // namespace seam::cli
