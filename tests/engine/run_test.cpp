#include "seam/engine/run/run.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "formats/temporary_folder.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/predict/reference.hpp"
#include "seam/engine/run/recording.hpp"
#include "seam/formats/csv.hpp"

namespace seam::engine {
namespace {

using Names = std::vector<std::string>;

const std::string pair_of_lags =
    "seam: 1\nsubsystems:\n  a: {model: state-space, set: {A: [[-1, 0], [0, -2]], B: [[1], [1]], x0: [1, 1], "
    "outputs: [y, body.z]}}\n"
    "  b: {model: state-space, set: {A: [[-1]], B: [[1]]}}\nconnections: [a.y -> b.u, b.y -> a.u]\n"
    "experiment: {stop: 1}\nplan: {step: 0.1}\n";

Names columns(const Names& patterns) {
  Changes changes;
  changes.variables = patterns;
  const System system = open_text(pair_of_lags, "test.yaml", changes);
  Names names;
  for (const stepping::Column& column : select_columns(system, make_live(system, {}).program)) {
    names.push_back(column.name);
  }
  return names;
}

RunSettings writing_to(const std::string& file) {
  RunSettings settings;
  settings.file = file;
  return settings;
}

TEST(SelectColumns, nobody_asked_is_all_connected_ports) {
  EXPECT_EQ(columns({}), (Names{"a.y", "a.u", "b.y", "b.u"}));
}

TEST(SelectColumns, patterns_choose_in_the_order_of_the_system_and_each_once) {
  EXPECT_EQ(columns({"b.u", "a.y"}), (Names{"a.y", "b.u"}));
  EXPECT_EQ(columns({"a.*", "a.y"}), (Names{"a.y", "a.u"}));  // a star does not cross a dot
  EXPECT_EQ(columns({"a.**"}), (Names{"a.y", "a.body.z", "a.u"}));
}

TEST(SelectColumns, outputs_and_inputs_choose_by_direction) {
  EXPECT_EQ(columns({"*.outputs"}), (Names{"a.y", "a.body.z", "b.y"}));
  EXPECT_EQ(columns({"*.inputs"}), (Names{"a.u", "b.u"}));
  EXPECT_EQ(columns({"a.outputs"}), (Names{"a.y", "a.body.z"}));
}

TEST(SelectColumns, every_pattern_that_matches_nothing_is_a_problem) {
  try {
    columns({"a.y", "c.outputs", "a.x"});
    FAIL();
  } catch (const base::ProblemsFound& found) {
    EXPECT_EQ(found.problems().size(), 2u);
    EXPECT_NE(std::string(found.what()).find("\"c.outputs\""), std::string::npos);
    EXPECT_NE(std::string(found.what()).find("\"a.x\""), std::string::npos);
  }
}

TEST(Run, the_result_is_named_by_the_file_by_record_or_by_the_caller) {
  EXPECT_EQ(result_file(open_text(pair_of_lags, "folder/car.yaml", {})), "car.csv");
  EXPECT_EQ(result_file(open_text("name: bus\n" + pair_of_lags, "folder/car.yaml", {})), "bus.csv");
  EXPECT_EQ(result_file(open_text(pair_of_lags + "record: {file: out/x.csv}\n", "car.yaml", {})), "out/x.csv");
  for (const char* file : {"../../x.csv", "/tmp/x.csv", "out/../../x.csv"}) {
    try {
      open_text(pair_of_lags + "record: {file: " + file + "}\n", "car.yaml", {});
      ADD_FAILURE() << file;
    } catch (const base::ProblemsFound& found) {
      EXPECT_NE(found.problems().text().find("leads out of the current folder"), std::string::npos) << file;
    }
  }
  const formats::TemporaryFolder folder;
  const RunSummary summary = run(open_text(pair_of_lags, "car.yaml", {}), writing_to(folder.file("mine.csv")));
  EXPECT_EQ(summary.file, folder.file("mine.csv"));
  EXPECT_EQ(summary.rows, 11u);
  EXPECT_EQ(summary.columns, 4u);
  EXPECT_EQ(summary.result.ending, stepping::Ending::completed);
}

TEST(Run, without_a_stop_time_there_is_no_run_but_an_analysis) {
  std::string endless = pair_of_lags;
  endless.replace(endless.find("experiment: {stop: 1}\n"), 22, "");
  const System system = open_text(endless, "car.yaml", {});
  EXPECT_THROW(run(system, {}), base::ProblemsFound);
  EXPECT_NO_THROW(analyse(system));
}

TEST(Run, a_divergence_names_the_output_and_where_it_goes) {
  const formats::TemporaryFolder folder;
  RunSettings settings;
  settings.file = folder.file("x.csv");
  settings.growth_limit = 0.5;
  const RunSummary summary = run(open_text(pair_of_lags, "car.yaml", {}), settings);
  EXPECT_EQ(summary.result.ending, stepping::Ending::diverged);
  EXPECT_EQ(summary.culprit, "a.y");
  EXPECT_EQ(summary.culprit_sink, "b.u");
}

TEST(Reference, agrees_with_the_exact_solution_and_says_how_it_was_found) {
  const formats::TemporaryFolder folder;
  const System system = open_text(
      "seam: 1\nsubsystems:\n  a: {model: state-space, set: {A: [[-1]], B: [[1]], x0: [1]}}\n"
      "  b: {model: state-space, set: {A: [[-1]], B: [[1]]}}\nconnections: [a.y -> b.u, b.y -> a.u]\n"
      "experiment: {stop: 1.05}\nplan: {step: 0.1}\n",
      "car.yaml", {});
  const ReferenceSummary summary = reference(system, writing_to(folder.file("x.csv")));
  EXPECT_FALSE(summary.method.empty());
  EXPECT_EQ(summary.rows, 12u);
  base::Problems problems;
  const formats::Table table = formats::read_csv(folder.file("x.csv"), problems);
  // The sum stays 1 and the difference decays with e^-2t.
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double difference = std::exp(-2.0 * table.columns[0][i]);
    EXPECT_NEAR(table.find("a.y")->at(i), 0.5 * (1 + difference), 1e-13);
    EXPECT_NEAR(table.find("b.y")->at(i), 0.5 * (1 - difference), 1e-13);
  }
  EXPECT_EQ(table.columns[0].back(), 1.05);
}

TEST(Open, every_problem_of_text_plan_and_flags_is_said_at_once) {
  Changes changes;
  changes.stop = "never";
  try {
    open_text("seam: 1\nsubsystems: {a: {model: gaim}}\nplan: {step: 0.1, couplin: zoh}\n", "car.yaml", changes);
    FAIL();
  } catch (const base::ProblemsFound& found) {
    const std::string said = found.what();
    for (const char* words : {"\"gaim\"", "\"couplin\"", "--stop"}) {
      EXPECT_NE(said.find(words), std::string::npos) << words << "\n" << said;
    }
  }
}

TEST(Resolved, text_loads_again_to_the_same_plan) {
  const System once = open_text(pair_of_lags, "car.yaml", {});
  const System twice = open_text(resolved_text(once), "again.yaml", {});
  EXPECT_EQ(twice.plan.step, once.plan.step);
  ASSERT_EQ(twice.plan.subsystems.size(), once.plan.subsystems.size());
  for (std::size_t i = 0; i < once.plan.subsystems.size(); ++i) {
    EXPECT_EQ(twice.plan.subsystems[i].micro_step, once.plan.subsystems[i].micro_step);
  }
  EXPECT_EQ(result_file(twice), "car.csv");
  ASSERT_EQ(twice.plan.connections.size(), 2u);
  EXPECT_EQ(twice.plan.connections[0].name, once.plan.connections[0].name);
}

}  // namespace
}  // namespace seam::engine
