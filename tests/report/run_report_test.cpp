#include "seam/report/run_report.hpp"

#include <gtest/gtest.h>

#include "formats/temporary_folder.hpp"
#include "seam/formats/json.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/report/print.hpp"

namespace seam::report {
namespace {

using stepping::Ending;

const engine::System& lag() {
  static const engine::System system = engine::open_text(
      "seam: 1\nname: lag\nsubsystems: {a: {model: state-space, set: {A: [[-1]], B: [[1]]}}}\n"
      "connections: [a.y -> a.u]\nexperiment: {start: 1, stop: 3}\nplan: {step: 0.5}\n",
      "lag.yaml", {});
  return system;
}

engine::RunSummary ended(Ending ending) {
  engine::RunSummary summary;
  summary.result.ending = ending;
  summary.result.steps = 4;
  summary.result.time = 3.0;
  summary.file = "out/lag.csv";
  summary.rows = 5;
  summary.columns = 2;
  summary.start = 1.0;
  summary.wall_time = 0.5;
  if (ending != Ending::completed && ending != Ending::interrupted) {
    summary.culprit = "a.y";
    summary.culprit_sink = "a.u";
  }
  return summary;
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(RunReport, a_complete_run_says_steps_time_rows_and_file) {
  const std::string text = run_text(lag(), ended(Ending::completed));
  for (const char* words : {"lag: 4 macro steps of 0.5 s", "zoh", "held", "t = 3 s", "5 rows", "out/lag.csv"}) {
    EXPECT_TRUE(says(text, words)) << words << "\n" << text;
  }
  EXPECT_FALSE(says(text, "error"));
}

TEST(RunReport, a_divergence_says_connection_time_and_what_to_do) {
  const std::string text = run_text(lag(), ended(Ending::diverged));
  for (const char* words : {"diverged at 3 s", "a.y -> a.u", "seam analyze", "--step"}) {
    EXPECT_TRUE(says(text, words)) << words << "\n" << text;
  }
}

TEST(RunReport, nothing_is_said_of_a_coupling_where_nothing_is_connected) {
  engine::System alone = lag();
  alone.description.connections.clear();
  engine::RunSummary summary = ended(Ending::diverged);
  EXPECT_TRUE(says(run_text(alone, summary), "nothing is connected")) << run_text(alone, summary);
  EXPECT_FALSE(says(run_text(alone, summary), "the coupling is stable")) << run_text(alone, summary);
  summary = ended(Ending::completed);
  summary.growth = stepping::Growth{"a.y", 1.0, 2e4};
  EXPECT_TRUE(says(run_text(lag(), summary), "the coupling is not stable"));
  EXPECT_TRUE(says(run_text(alone, summary), "goes on growing: nothing is connected")) << run_text(alone, summary);
  EXPECT_FALSE(says(run_text(alone, summary), "the coupling is not stable"));
}

TEST(RunReport, an_interrupted_run_says_when) {
  EXPECT_TRUE(says(run_text(lag(), ended(Ending::interrupted)), "interrupted at 3 s"));
}

TEST(RunReport, a_rejected_step_says_who_and_from_when_to_when) {
  engine::RunSummary summary = ended(Ending::rejected);
  summary.culprit = "a";
  const std::string text = run_text(lag(), summary);
  EXPECT_TRUE(says(text, "a did not accept the step 3 s -> 3.5 s")) << text;
}

TEST(RunReport, a_failure_says_what_the_subsystem_says) {
  engine::RunSummary summary = ended(Ending::failed);
  summary.complaint = "a: the tank is empty";
  EXPECT_TRUE(says(run_text(lag(), summary), "the tank is empty"));
}

TEST(RunReport, the_value_has_ending_times_statistics_and_plan) {
  const formats::Value value = run_value(lag(), ended(Ending::diverged));
  EXPECT_EQ(value.find("ending")->string(), "diverged");
  EXPECT_EQ(value.find("culprit")->string(), "a.y");
  EXPECT_EQ(value.find("culprit_sink")->string(), "a.u");
  EXPECT_EQ(value.find("start")->number(), 1.0);
  EXPECT_EQ(value.find("time")->number(), 3.0);
  EXPECT_EQ(value.find("macro_steps")->number(), 4.0);
  EXPECT_EQ(value.find("real_time_factor")->number(), 4.0);  // 2 s in half a second
  EXPECT_TRUE(value.find("plan")->find("connections")->find("a.u"));
  EXPECT_FALSE(run_value(lag(), ended(Ending::completed)).find("culprit"));
}

TEST(RunReport, the_summary_lies_beside_the_result_whatever_its_extension) {
  const formats::TemporaryFolder folder;
  engine::RunSummary summary = ended(Ending::completed);
  for (const auto& [file, expected] : {std::pair{"a.csv", "a.summary.json"}, std::pair{"b", "b.summary.json"},
                                       std::pair{"c.d.csv", "c.d.summary.json"}, std::pair{".e", ".e.summary.json"}}) {
    summary.file = folder.file(file);
    EXPECT_EQ(write_summary(lag(), summary), folder.file(expected));
    EXPECT_TRUE(formats::parse_json(formats::read_text(folder.file(expected))).find("plan"));
  }
}

TEST(Print, a_failure_has_every_problem_with_its_place) {
  base::Problems problems;
  problems.add({std::make_shared<base::Source>(base::Source{"x.yaml", {}}), 3, 7, 1}, "wrong", "mend it");
  problems.add({}, "nowhere");
  const formats::Value value = formats::parse_json(json(failure_value(1, "message", problems)));
  EXPECT_EQ(value.find("exit_code")->number(), 1.0);
  EXPECT_EQ(value.find("error")->string(), "message");
  const auto& list = value.find("problems")->items();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].find("file")->string(), "x.yaml");
  EXPECT_EQ(list[0].find("line")->number(), 3.0);
  EXPECT_EQ(list[0].find("mend")->string(), "mend it");
  EXPECT_TRUE(list[1].find("line")->is(formats::Value::Kind::null));
}

TEST(ComparisonReport, says_both_errors_and_what_was_left_out) {
  record::Comparison comparison;
  comparison.variables.push_back({"a.y", "y", 0.1, 0.2, 0.75, 0.05, std::nullopt});
  comparison.overall_range = 0.05;
  comparison.samples = 9;
  comparison.to = 4.0;
  comparison.interpolated = true;
  comparison.only_in_reference = {"b.y"};
  comparison.not_asked = {"c.y"};
  comparison.texts = {"s"};
  comparison.ambiguous = {"d.y may be y or z of the reference"};
  const std::string text = comparison_text(comparison);
  for (const char* words :
       {"a.y", "0.05", "0.2 at t = 0.75 s", "9 samples from 0 s to 4 s", "interpolated", "only in the reference: b.y",
        "in the reference: a.y is y", "in both and left out by --variables: c.y",
        "in both and not compared, since they are texts or whole numbers beyond 2^53: s",
        "not compared, since d.y may be y or z of the reference; --map RESULT=REFERENCE says which"}) {
    EXPECT_TRUE(says(text, words)) << words << "\n" << text;
  }
  comparison.variables.push_back({"b.z", "z", 0.1, 0.2, 0.75, 0.05, std::nullopt});
  EXPECT_TRUE(says(comparison_text(comparison), "in the reference: names stand without \"a.\", \"b.\"\n"));
  comparison.variables.push_back({"b.w", "height", 0.1, 0.2, 0.75, 0.05, std::nullopt});
  EXPECT_TRUE(says(comparison_text(comparison), "in the reference: a.y is y, b.z is z, b.w is height\n"));
  const formats::Value value = comparison_value(comparison);
  EXPECT_EQ(value.find("variables")->find("a.y")->find("nrmse_range")->number(), 0.05);
  EXPECT_TRUE(value.find("variables")->find("a.y")->find("nrmse_deviation")->is(formats::Value::Kind::null));
  EXPECT_TRUE(value.find("nrmse_deviation")->is(formats::Value::Kind::null));
}

}  // namespace
}  // namespace seam::report
