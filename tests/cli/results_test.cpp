// What a run leaves behind.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/command.hpp"
#include "cli/two_lags.hpp"

namespace seam::cli {
namespace {

using formats::Value;

TEST(Results, run_writes_a_table_and_a_summary) {
  const Folder folder("system.yaml", two_lags);
  const Ran ran = folder.seam({"run", "system.yaml"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(folder.names(), (Words{"system.csv", "system.summary.json", "system.yaml"}));
  const formats::Table table = folder.table("system.csv");
  EXPECT_EQ(table.names, (Words{"time", "a.y", "a.u", "b.y", "b.u"}));
  EXPECT_EQ(table.units[0], "s");
  ASSERT_EQ(table.rows(), 11u);
  EXPECT_EQ(table.columns[0].back(), 1.0);
  // One step of the zero-order hold by hand: a hears 0, b hears 1.
  EXPECT_NEAR(table.find("a.y")->at(1), std::exp(-0.1), 1e-15);
  EXPECT_NEAR(table.find("b.y")->at(1), 0.5 * (1.0 - std::exp(-0.2)), 1e-15);
  EXPECT_EQ(table.find("b.u")->at(1), table.find("a.y")->at(1));
}

TEST(Results, summary_holds_the_complete_plan) {
  const Folder folder("system.yaml", and_then("  connections: {b.u: {receiver: soh, samples: micro}}\n"
                                              "  subsystems: {b: {feedthrough: fresh, micro_step: 50 ms}}\n"));
  ASSERT_EQ(folder.seam({"run", "system.yaml"}).exit_code, 0);
  const Value summary = folder.json("system.summary.json");
  EXPECT_EQ(summary.find("ending")->string(), "completed");
  EXPECT_EQ(summary.find("result")->string(), "system.csv");
  EXPECT_EQ(number(summary, "rows"), 11.0);
  EXPECT_EQ(number(summary, "macro_steps"), 10.0);
  const Value* plan = summary.find("plan");
  ASSERT_TRUE(plan);
  EXPECT_EQ(number(*plan, "step"), 0.1);
  const Value* subsystems = plan->find("subsystems");
  ASSERT_TRUE(subsystems);
  EXPECT_EQ(number(*subsystems->find("a"), "micro_step"), 0.01);
  EXPECT_EQ(subsystems->find("a")->find("feedthrough")->string(), "held");
  EXPECT_EQ(number(*subsystems->find("b"), "micro_step"), 0.05);
  EXPECT_EQ(subsystems->find("b")->find("feedthrough")->string(), "fresh");
  EXPECT_EQ(plan->find("connections")->find("b.u")->string(), "soh,samples=micro");
  EXPECT_EQ(plan->find("connections")->find("a.u")->string(), "zoh");
}

TEST(Results, o_names_the_table_and_the_summary_beside_it) {
  const Folder folder("system.yaml", and_then("record: {file: elsewhere.csv}\n"));
  EXPECT_EQ(folder.seam({"run", "system.yaml", "-o", "mine.csv"}).exit_code, 0);
  EXPECT_EQ(folder.names(), (Words{"mine.csv", "mine.summary.json", "system.yaml"}));
}

TEST(Results, record_file_and_name_of_the_system_file_are_followed) {
  const Folder named("system.yaml", "name: lags\n" + two_lags);
  EXPECT_EQ(named.seam({"run", "system.yaml", "-q"}).exit_code, 0);
  EXPECT_TRUE(named.has("lags.csv"));
  const Folder filed("system.yaml", and_then("record: {file: kept.csv, every: 500 ms, variables: [\"*.outputs\"]}\n"));
  EXPECT_EQ(filed.seam({"run", "system.yaml", "-q"}).exit_code, 0);
  const formats::Table table = filed.table("kept.csv");
  EXPECT_EQ(table.names, (Words{"time", "a.y", "b.y"}));
  EXPECT_EQ(table.columns[0], (std::vector<double>{0.0, 0.5, 1.0}));
}

TEST(Results, variables_and_every_thin_the_table_and_change_no_number) {
  const Folder folder("system.yaml", two_lags);
  ASSERT_EQ(folder.seam({"run", "system.yaml", "-o", "all.csv"}).exit_code, 0);
  ASSERT_EQ(folder.seam({"run", "system.yaml", "-o", "few.csv", "--variables", "b.*", "--every", "200ms"}).exit_code,
            0);
  const formats::Table all = folder.table("all.csv"), few = folder.table("few.csv");
  EXPECT_EQ(few.names, (Words{"time", "b.y", "b.u"}));
  ASSERT_EQ(few.rows(), 6u);
  for (std::size_t row = 0; row < 6; ++row) {
    EXPECT_EQ(few.columns[0][row], all.columns[0][2 * row]);
    EXPECT_EQ(few.columns[1][row], all.find("b.y")->at(2 * row));
  }
}

TEST(Results, json_prints_one_object_and_the_rest_goes_to_standard_error) {
  const Folder folder("system.yaml", two_lags);
  const Ran ran = folder.seam({"run", "system.yaml", "--json"});
  const Value printed = json(ran.out);
  EXPECT_EQ(printed.find("ending")->string(), "completed");
  EXPECT_EQ(number(printed, "macro_step"), 0.1);
  EXPECT_NE(ran.err.find("10 macro steps"), std::string::npos);
  for (const char* verb : {"analyze", "reference", "check"}) {
    EXPECT_TRUE(json(folder.seam({verb, "system.yaml", "--json"}).out).find("name")) << verb;
  }
  EXPECT_TRUE(json(folder.seam({"methods", "--json"}).out).find("methods"));
  EXPECT_TRUE(json(folder.seam({"compare", "system.csv", "system.csv", "--json"}).out).find("variables"));
}

TEST(Results, json_prints_one_object_also_for_problems) {
  const Folder folder("system.yaml", with("state-space", "state-spce"));
  for (const char* verb : {"run", "analyze", "reference", "check"}) {
    const Ran ran = folder.seam({verb, "system.yaml", "--json"});
    EXPECT_EQ(ran.exit_code, 1) << verb;
    const Value failure = json(ran.out);
    EXPECT_EQ(number(failure, "exit_code"), 1.0) << verb;
    const Value* problems = failure.find("problems");
    ASSERT_TRUE(problems && problems->items().size() == 1) << verb;
    const Value& problem = problems->items()[0];
    EXPECT_EQ(problem.find("file")->string(), "system.yaml");
    EXPECT_EQ(number(problem, "line"), 4.0);
    EXPECT_EQ(number(problem, "column"), 12.0);
    EXPECT_NE(problem.find("what")->string().find("state-spce"), std::string::npos);
    EXPECT_NE(problem.find("mend")->string().find("did you mean"), std::string::npos);
  }
  const Ran compared = folder.seam({"compare", "no.csv", "no.csv", "--json"});
  EXPECT_EQ(compared.exit_code, 1);
  EXPECT_EQ(number(json(compared.out), "exit_code"), 1.0);
}

TEST(Results, json_of_a_long_line_in_another_alphabet_is_still_json) {
  std::string letters;
  for (int i = 0; i < 150; ++i) letters += "ä";
  const Folder folder("system.yaml", with("x0: [1]", "x0: x" + letters));
  const Ran ran = folder.seam({"check", "system.yaml", "--json"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(number(json(ran.out), "exit_code"), 1.0);
}

TEST(Results, quiet_prints_nothing) {
  const Folder folder("system.yaml", two_lags);
  for (const char* verb : {"run", "reference"}) {
    const Ran ran = folder.seam({verb, "system.yaml", "--quiet"});
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(ran.out + ran.err, "") << verb;
  }
}

TEST(Results, port_names_with_dots_and_brackets_are_taken_verbatim) {
  const Folder folder("system.yaml",
                      "seam: 1\nsubsystems:\n"
                      "  a: {model: state-space, set: {A: [[-1]], C: [[1], [10]], x0: [1], outputs: [body.z, "
                      "\"wheel[1].x\"]}}\n"
                      "  b: {model: state-space, set: {A: [[0, 0], [0, 0]], B: [[1, 0], [0, 1]], "
                      "inputs: [\"wheel[1].f\", der(x).f]}}\n"
                      "connections:\n  - a.wheel[1].x -> b.wheel[1].f\n  - a.body.z -> b.der(x).f\n"
                      "experiment: {stop: 1}\nplan: {step: 0.5}\n");
  const Ran ran = folder.seam({"run", "system.yaml"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const formats::Table table = folder.table("system.csv");
  ASSERT_TRUE(table.find("b.wheel[1].f") && table.find("b.der(x).f") && table.find("a.body.z"));
  EXPECT_EQ(table.find("b.wheel[1].f")->at(0), 10.0);
  EXPECT_EQ(table.find("b.der(x).f")->at(0), 1.0);
  EXPECT_NEAR(table.find("b.wheel[1].f")->at(2), 10.0 * std::exp(-1.0), 1e-14);
}

TEST(Results, longest_subsystem_name_that_fits_a_path_wins) {
  const Folder folder("system.yaml",
                      "seam: 1\nsubsystems:\n"
                      "  a: {model: state-space, set: {A: [[0]], x0: [1]}}\n"
                      "  a-b: {model: state-space, set: {A: [[0]], x0: [2]}}\n"
                      "  a-b-c: {model: state-space, set: {A: [[0]], x0: [3]}}\n"
                      "  s: {model: sum, set: {gains: [100, 10, 1]}}\n"
                      "connections: [a-b-c.y -> s.u1, a-b.y -> s.u2, a.y -> s.u3]\n"
                      "experiment: {stop: 1}\nplan: {step: 1}\n");
  const Ran ran = folder.seam({"run", "system.yaml"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(folder.table("system.csv").find("s.y"),
            nullptr);  // it is not connected, so it is not recorded unless asked for
  ASSERT_EQ(folder.seam({"run", "system.yaml", "--variables", "s.y"}).exit_code, 0);
  EXPECT_EQ(folder.table("system.csv").find("s.y")->at(0), 321.0);
}

TEST(Results, json_is_accepted_as_a_system_file_and_gives_the_same_table) {
  const Folder folder("system.yaml", two_lags);
  folder.write("system.json", R"({
  "seam": 1,
  "subsystems": {
    "a": {"model": "state-space", "set": {"A": [[-1]], "B": [[1]], "C": [[1]], "x0": [1]}},
    "b": {"model": "state-space", "set": {"A": [[-2]], "B": [[1]], "C": [[1]]}}
  },
  "connections": ["a.y -> b.u", {"from": "b.y", "to": "a.u"}],
  "experiment": {"stop": "1 s"},
  "plan": {"step": 0.1, "coupling": "zoh"}
})");
  ASSERT_EQ(folder.seam({"run", "system.yaml", "-o", "yaml.csv"}).exit_code, 0);
  const Ran ran = folder.seam({"run", "system.json", "-o", "json.csv"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(folder.read("json.csv"), folder.read("yaml.csv"));
}

TEST(Results, output_that_cannot_be_written_is_named) {
  const Folder folder("system.yaml", two_lags);
  const Ran ran = folder.seam({"run", "system.yaml", "-o", "no/such/folder.csv"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("no/such/folder.csv"), std::string::npos) << ran.err;
  EXPECT_EQ(folder.names(), Words{"system.yaml"});
}

// x' = -x: whatever the steps, the exact solver must be exact, also over the shorter last one.
TEST(Results, stop_off_the_grid_gets_one_shorter_last_step) {
  const Folder folder("system.yaml",
                      "seam: 1\nsubsystems: {a: {model: state-space, set: {A: [[-1]], x0: [1]}}}\n"
                      "experiment: {stop: 1.07}\nplan: {step: 0.1}\n");
  const Ran ran = folder.seam({"run", "system.yaml"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const formats::Table table = folder.table("system.csv");
  ASSERT_EQ(table.rows(), 12u);
  EXPECT_EQ(table.columns[0].back(), 1.07);
  EXPECT_NEAR(table.find("a.y")->back(), std::exp(-1.07), 1e-15);
  EXPECT_NEAR(table.columns[0][10], 1.0, 1e-15);
}

TEST(Results, reference_has_the_same_times_as_a_run_also_off_the_grid) {
  const Folder folder("system.yaml", two_lags);
  ASSERT_EQ(folder.seam({"run", "system.yaml", "--stop", "0.95"}).exit_code, 0);
  ASSERT_EQ(folder.seam({"reference", "system.yaml", "--stop", "0.95"}).exit_code, 0);
  const formats::Table run = folder.table("system.csv"), reference = folder.table("system.reference.csv");
  EXPECT_EQ(run.columns[0], reference.columns[0]);
  EXPECT_EQ(run.names, reference.names);
}

TEST(Results, names_of_other_tools_for_the_same_flags_do_the_same) {
  const Folder folder("system.yaml", two_lags);
  ASSERT_EQ(folder
                .seam({"run", "system.yaml", "--start", "0.2", "--stop", "2", "--step", "50ms", "--every", "100ms",
                       "--variables", "a.y", "-o", "ours.csv"})
                .exit_code,
            0);
  const Ran ran =
      folder.seam({"run", "system.yaml", "--start-time", "0.2", "--stop-time", "2", "--step-size", "50ms",
                   "--output-interval", "100ms", "--output-variable", "a.y", "--output-file", "theirs.csv"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(folder.read("theirs.csv"), folder.read("ours.csv"));
  EXPECT_EQ(folder.table("ours.csv").rows(), 19u);
}

TEST(Results, set_changes_one_value_and_the_last_one_counts) {
  const Folder folder("system.yaml", two_lags);
  ASSERT_EQ(folder.seam({"run", "system.yaml", "--set", "a.x0=[5]", "--set", "a.x0=[3]"}).exit_code, 0);
  EXPECT_EQ(folder.table("system.csv").find("a.y")->front(), 3.0);
}

}  // namespace
}  // namespace seam::cli
