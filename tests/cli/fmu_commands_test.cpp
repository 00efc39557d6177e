// FMUs on the command line: info, check, run of one or several, new.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/fmu_folder.hpp"
#include "formats/raw_zip.hpp"

namespace seam::cli {
namespace {

using formats::Value;

class FmuCommands : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Fmi, FmuCommands, ::testing::Values(2, 3));

TEST_P(FmuCommands, info_shows_model_abilities_and_variables) {
  const FmuFolder folder(GetParam(), "two-mass-left");
  const Ran ran = folder.seam({"info", "two-mass-left.fmu"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.err, "");
  for (const char* word : {"two-mass-left: FMI ", "saving its state", "default experiment", "solver_step", "N.s/m"}) {
    EXPECT_TRUE(says(ran.out, word)) << word << "\n" << ran.out;
  }
  EXPECT_EQ(folder.names(), Words{"two-mass-left.fmu"});
}

TEST_P(FmuCommands, info_as_json_is_one_object_with_every_variable) {
  const FmuFolder folder(GetParam(), "gain");
  const Ran ran = folder.seam({"info", "gain.fmu", "--json"});
  EXPECT_EQ(ran.exit_code, 0);
  const Value card = json(ran.out);
  EXPECT_EQ(card.find("fmi_version")->string(), GetParam() == 2 ? "2.0" : "3.0");
  EXPECT_TRUE(card.find("co_simulation")->find("state")->boolean());
  EXPECT_EQ(card.find("variables")->items().size(), 4u);
}

TEST_P(FmuCommands, info_and_check_do_not_load_the_code) {
  for (const char* name : {"bad-crash-in-instantiate", "bad-missing-function", "bad-token"}) {
    const FmuFolder folder(GetParam(), name);
    EXPECT_EQ(folder.seam({"info", std::string(name) + ".fmu"}).exit_code, 0);
    EXPECT_EQ(folder.seam({"check", std::string(name) + ".fmu"}).exit_code, 0);
    EXPECT_TRUE(std::filesystem::is_empty(folder.cache()));
  }
}

TEST_P(FmuCommands, info_shows_hostile_names_harmlessly) {
  const FmuFolder folder(GetParam(), "bad-hostile-names");
  const Ran text = folder.seam({"info", "bad-hostile-names.fmu", "--all"});
  EXPECT_EQ(text.exit_code, 0);
  for (const char* harm : {"\x1b", "\xc2\x9b", "\xe2\x80\xae", "line\nbreak"}) EXPECT_FALSE(says(text.out, harm));
  json(folder.seam({"info", "bad-hostile-names.fmu", "--json"}).out);
}

TEST_P(FmuCommands, check_ends_with_0_for_a_good_fmu_and_with_1_for_one_with_errors) {
  FmuFolder folder(GetParam(), "types");
  EXPECT_EQ(folder.seam({"check", "types.fmu"}).exit_code, 0);
  folder.add(GetParam(), "bad-hostile-names");
  const Ran ran = folder.seam({"check", "bad-hostile-names.fmu", "--json"});
  EXPECT_EQ(ran.exit_code, 1);
  json(ran.out);
  folder.write("text.fmu", "this is no zip file");
  EXPECT_EQ(folder.seam({"check", "text.fmu"}).exit_code, 1);
  EXPECT_EQ(folder.seam({"check", "nowhere.fmu"}).exit_code, 1);
}

TEST_P(FmuCommands, run_of_one_fmu_takes_its_default_experiment_and_says_so_on_standard_error) {
  const FmuFolder folder(GetParam(), "gain");
  const Ran ran = folder.seam({"run", "gain.fmu"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(says(ran.err, "stop time 1 s, as gain suggests")) << ran.err;
  EXPECT_TRUE(says(ran.err, "macro step 0.01 s, as gain suggests")) << ran.err;
  EXPECT_EQ(folder.table("gain.csv").rows(), 101u);
  EXPECT_EQ(folder.json("gain.summary.json").find("ending")->string(), "completed");
}

TEST_P(FmuCommands, run_of_one_fmu_needs_no_name_for_settings_and_variables) {
  const FmuFolder folder(GetParam(), "gain");
  const Ran ran = folder.seam({"run", "gain.fmu", "--stop", "0.5", "--step", "0.1", "--set", "k=3", "--set", "u=2",
                               "--variables", "y", "-o", "out.csv"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_FALSE(says(ran.err, "suggests"));
  const formats::Table table = folder.table("out.csv");
  ASSERT_EQ(table.columns.size(), 2u);
  ASSERT_EQ(table.rows(), 6u);
  for (const double y : column(table, "gain.y")) EXPECT_EQ(y, 6.0);
}

TEST_P(FmuCommands, run_of_an_fmu_without_a_library_says_that_first_and_nothing_else) {
  FmuFolder folder(GetParam(), "gain");
  formats::RawZip zip;
  zip.add("modelDescription.xml",
          R"(<fmiModelDescription fmiVersion="2.0" modelName="m" guid="1"><CoSimulation modelIdentifier="m"/>)"
          R"(<DefaultExperiment stopTime="3"/><ModelVariables/><ModelStructure/></fmiModelDescription>)");
  folder.write("m.fmu", zip.add("binaries/win64/m.dll", "x").bytes());
  const Ran ran = folder.seam({"run", "m.fmu"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(ran.err.find("m.fmu: the FMU has no library for Linux"), 0u) << ran.err;
}

TEST_P(FmuCommands, run_records_the_value_an_input_was_set_to) {
  const FmuFolder folder(GetParam(), "gain");
  ASSERT_EQ(folder.seam({"run", "gain.fmu", "--stop", "0.5", "--step", "0.1", "--set", "u=2"}).exit_code, 0);
  for (const double u : column(folder.table("gain.csv"), "gain.u")) EXPECT_EQ(u, 2.0);
}

// y' = u with u(t) from the file; one Euler step a macro step is the sum of the samples.
TEST_P(FmuCommands, input_file_feeds_the_inputs_its_columns_are_named_after) {
  FmuFolder folder(GetParam(), "integrator");
  folder.write("u.csv", "time,u\n0,0\n1,1\n");
  const Ran ran =
      folder.seam({"run", "integrator.fmu", "--input-file", "u.csv", "--stop", "1", "--step", "0.1", "--set",
                   "integrator.solver=euler", "--set", "integrator.k=1", "--variables", "integrator.*"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const formats::Table table = folder.table("integrator.csv");
  double sum = 0.0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    EXPECT_NEAR(column(table, "integrator.y").at(i), sum, 1e-12);
    sum += 0.1 * table.columns[0][i];
  }
}

TEST_P(FmuCommands, input_file_leaves_the_only_fmu_unnamed_and_its_outputs_recorded) {
  FmuFolder folder(GetParam(), "integrator");
  folder.write("u.csv", "time,u\n0,0\n1,1\n");
  const Ran ran = folder.seam({"run", "integrator.fmu", "--input-file", "u.csv", "--stop", "1", "--set", "k=1"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(folder.table("integrator.csv").find("integrator.y"));
}

TEST_P(FmuCommands, input_file_that_is_not_there_or_feeds_nobody_is_a_problem) {
  FmuFolder folder(GetParam(), "integrator");
  folder.write("v.csv", "time,v\n0,0\n1,1\n");
  EXPECT_TRUE(refuses(folder, {"run", "integrator.fmu", "--input-file", "none.csv", "--stop", "1"}, {"none.csv"}));
  EXPECT_TRUE(refuses(folder, {"run", "integrator.fmu", "--input-file", "v.csv", "--stop", "1"}, {"\"v\""}));
}

// Around an integrator y' = u a gain of -1, both held: y(n+1) = y(n) - 0.1 y(n-1).
TEST_P(FmuCommands, two_fmus_are_connected_in_either_order_of_the_ends) {
  std::vector<std::string> results;
  const int other = 5 - GetParam();
  for (const char* first : {"gain.y=integrator.u", "integrator.u=gain.y"}) {
    for (const char* second : {"integrator.y=gain.u", "gain.u=integrator.y"}) {
      FmuFolder folder(GetParam(), "gain");
      folder.add(other, "integrator");
      const Ran ran =
          folder.seam({"run", "gain.fmu", "integrator.fmu", "--connect", first, "--connect", second, "--stop", "1",
                       "--step", "0.1", "--set", "gain.k=-1", "--set", "integrator.x0=1", "-o", "r.csv"});
      ASSERT_EQ(ran.exit_code, 0) << ran.err;
      results.push_back(folder.read("r.csv"));
      const std::vector<double> y = column(folder.table("r.csv"), "integrator.y");
      ASSERT_EQ(y.size(), 11u);
      EXPECT_NEAR(y[1], 0.9, 1e-15);
      for (std::size_t i = 2; i < y.size(); ++i) EXPECT_NEAR(y[i], y[i - 1] - 0.1 * y[i - 2], 1e-15);
    }
  }
  for (const std::string& result : results) EXPECT_EQ(result, results.front());
}

TEST_P(FmuCommands, connect_that_makes_no_sense_is_a_problem) {
  FmuFolder folder(GetParam(), "gain");
  folder.add(GetParam(), "integrator");
  const auto connect = [](const std::string& text) {
    return Words{"run", "gain.fmu", "integrator.fmu", "--stop", "1", "--connect", text};
  };
  EXPECT_TRUE(refuses(folder, connect("gain.y"), {"equals sign", "--connect a.y=b.u"}));
  EXPECT_TRUE(refuses(folder, connect("gain.y=integrator.y"), {"is an output"}));
  EXPECT_TRUE(refuses(folder, connect("gain.u=integrator.u"), {"is an input"}));
  EXPECT_TRUE(refuses(folder, connect("gain.yy=integrator.u"), {"\"yy\""}));
  EXPECT_TRUE(refuses(folder, connect("gian.y=integrator.u"), {"gian"}));
  EXPECT_TRUE(refuses(folder, connect("="), {"--connect"}));
}

TEST_P(FmuCommands, new_writes_a_system_that_checks_and_runs_and_is_not_overwritten) {
  FmuFolder folder(GetParam(), "two-mass-left");
  folder.add(GetParam(), "two-mass-right");
  const Words make = {"new", "two-mass-left.fmu", "two-mass-right.fmu", "-o", "s.yaml"};
  EXPECT_EQ(folder.seam(make).exit_code, 0);
  const std::string text = folder.read("s.yaml");
  for (const char* line :
       {"two-mass-right.x1 -> two-mass-left.x_in", "two-mass-right.v1 -> two-mass-left.v_in",
        "  - two-mass-left.F -> two-mass-right.F_in\n",
        "# - ??? -> two-mass-right.f1   [N]   perhaps two-mass-left.F\n", "??? -> two-mass-left.f1"}) {
    EXPECT_TRUE(says(text, line)) << line << "\n" << text;
  }
  EXPECT_EQ(folder.seam({"check", "s.yaml"}).exit_code, 0);
  EXPECT_EQ(folder.seam({"run", "s.yaml", "--stop", "1"}).exit_code, 0);
  EXPECT_TRUE(refuses(folder, make, {"\"s.yaml\" exists already", "-o"}));
  EXPECT_EQ(folder.read("s.yaml"), text);
}

TEST_P(FmuCommands, analyze_knows_an_fmu_by_probing_it) {
  FmuFolder folder(GetParam(), "integrator");
  folder.write(
      "s.yaml",
      "seam: 1\nsubsystems:\n  body: {fmu: integrator.fmu}\n  lag: {model: state-space, set: {A: [[-1]], B: [[1]]}}\n"
      "connections: [body.y -> lag.u, lag.y -> body.u]\nexperiment: {stop: 1}\nplan: {step: 0.1}\n");
  const Ran ran = folder.seam({"analyze", "s.yaml"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(says(ran.out, "NOT stable")) << ran.out;  // x' = y, y' = x - y
  EXPECT_EQ(folder.seam({"run", "s.yaml"}).exit_code, 0);
}

TEST_P(FmuCommands, analyze_says_once_why_an_fmu_is_not_known) {
  FmuFolder folder(GetParam(), "bad-nan");
  folder.write("s.yaml",
               "seam: 1\nsubsystems:\n  body: {fmu: bad-nan.fmu, set: {at: 0.5}}\n  lag: {model: state-space, set: {A: "
               "[[-1]], B: "
               "[[1]]}}\nconnections: [body.y -> lag.u, lag.y -> body.u]\nexperiment: {stop: 1}\nplan: {step: 0.1}\n");
  const std::string told = folder.seam({"analyze", "s.yaml"}).out, reason = "it did not go through a trial";
  EXPECT_TRUE(says(told, "NOT KNOWN")) << told;
  EXPECT_NE(told.find(reason), std::string::npos) << told;
  EXPECT_EQ(told.find(reason), told.rfind(reason)) << told;
}

}  // namespace
}  // namespace seam::cli
