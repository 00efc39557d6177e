// FMUs that misbehave: exit code, who is blamed, what is on disk, and one JSON object whatever happens.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/fmu_folder.hpp"

namespace seam::cli {
namespace {

using formats::Value;

/// Runs the FMU over 1 s in steps of 0.1 s; it misbehaves in the step after 0.5 s.
struct Tried {
  Tried(int version, const std::string& kind, const Words& more = {"--step", "0.1"})
      : name("bad-" + kind), folder(version, name) {
    Words words = {"run", name + ".fmu", "--stop", "1", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    ran = folder.seam(words);
    printed = json(ran.out);
  }

  /// y and u of an integrator of 1, to the bit, at the first communication points.
  void expect_rows(std::size_t rows) const {
    const formats::Table table = folder.table(name + ".csv");
    ASSERT_EQ(table.rows(), rows);
    double y = 0.0;
    for (std::size_t i = 0; i < rows; ++i) {
      EXPECT_EQ(table.columns[0][i], 0.1 * static_cast<double>(i));
      EXPECT_EQ(column(table, name + ".y").at(i), y);
      y += 0.1;
    }
  }
  std::string summary_ending() const { return folder.json(name + ".summary.json").find("ending")->string(); }

  std::string name;
  FmuFolder folder;
  Ran ran;
  Value printed;
};

class Misbehaving : public ::testing::TestWithParam<int> {
 protected:
  std::string call(const std::string& function) const { return "fmi" + std::to_string(GetParam()) + function; }
};
INSTANTIATE_TEST_SUITE_P(Fmi, Misbehaving, ::testing::Values(2, 3));

TEST_P(Misbehaving, error_in_a_step_ends_with_4_and_keeps_the_rows_before) {
  const Tried tried(GetParam(), "error");
  EXPECT_EQ(tried.ran.exit_code, 4);
  EXPECT_TRUE(says(tried.ran.err, "error: bad-error (bad-error.fmu, FMI " + std::to_string(GetParam()) + ".0, seam)"));
  EXPECT_TRUE(says(tried.ran.err, "failed in " + call("DoStep") + " (step 0.5 s -> 0.6 s)")) << tried.ran.err;
  EXPECT_TRUE(says(tried.ran.err, "results up to 0.5 s are in bad-error.csv")) << tried.ran.err;
  tried.expect_rows(6);
  EXPECT_EQ(tried.summary_ending(), "failed");
  EXPECT_EQ(tried.printed.find("ending")->string(), "failed");
}

TEST_P(Misbehaving, fatal_in_a_step_ends_with_4_and_keeps_the_rows_before) {
  const Tried tried(GetParam(), "fatal");
  EXPECT_EQ(tried.ran.exit_code, 4);
  EXPECT_TRUE(says(tried.ran.err, "bad-fatal (bad-fatal.fmu")) << tried.ran.err;
  EXPECT_TRUE(says(tried.ran.err, "broke down in " + call("DoStep"))) << tried.ran.err;
  tried.expect_rows(6);
  EXPECT_EQ(tried.summary_ending(), "failed");
}

TEST_P(Misbehaving, discard_ends_with_4_and_offers_retries) {
  const Tried tried(GetParam(), "discard");
  EXPECT_EQ(tried.ran.exit_code, 4);
  EXPECT_TRUE(says(tried.ran.err, "bad-discard (bad-discard.fmu")) << tried.ran.err;
  EXPECT_TRUE(says(tried.ran.err, "discarded the step 0.5 s -> 0.6 s; it reached " +
                                      std::string(GetParam() == 2 ? "0.55 s" : "0.5 s")))
      << tried.ran.err;
  EXPECT_TRUE(says(tried.ran.err, "retries: 3")) << tried.ran.err;
  tried.expect_rows(6);
  EXPECT_EQ(tried.summary_ending(), "rejected");
  EXPECT_EQ(tried.printed.find("culprit")->string(), "bad-discard");
}

TEST_P(Misbehaving, discard_whatever_the_step_outlasts_the_retries) {
  FmuFolder folder(GetParam(), "bad-discard");
  folder.write("s.yaml",
               "seam: 1\nsubsystems: {a: {fmu: bad-discard.fmu, retries: 3}}\n"
               "experiment: {stop: 1}\nplan: {step: 0.1}\n");
  const Ran ran = folder.seam({"run", "s.yaml", "--json"});
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_TRUE(says(ran.err, "discarded the step")) << ran.err;
  EXPECT_FALSE(says(ran.err, "retries: 3")) << ran.err;
  EXPECT_EQ(folder.table("s.csv").rows(), 6u);
  EXPECT_EQ(json(ran.out).find("ending")->string(), "rejected");
}

TEST_P(Misbehaving, not_a_number_ends_with_3_and_names_the_output) {
  const Tried tried(GetParam(), "nan");
  EXPECT_EQ(tried.ran.exit_code, 3);
  EXPECT_TRUE(says(tried.ran.err, "diverged at 0.6 s: bad-nan.y")) << tried.ran.err;
  tried.expect_rows(6);
  EXPECT_EQ(tried.summary_ending(), "diverged");
  EXPECT_EQ(tried.printed.find("culprit")->string(), "bad-nan.y");
}

TEST_P(Misbehaving, infinity_ends_with_3_and_names_the_output) {
  const Tried tried(GetParam(), "infinite");
  EXPECT_EQ(tried.ran.exit_code, 3);
  EXPECT_TRUE(says(tried.ran.err, "diverged at 0.6 s: bad-infinite.y")) << tried.ran.err;
  tried.expect_rows(6);
  EXPECT_EQ(tried.summary_ending(), "diverged");
}

TEST_P(Misbehaving, step_size_it_refuses_ends_with_4_and_says_what_the_fmu_said) {
  const Tried fits(GetParam(), "step-size");
  EXPECT_EQ(fits.ran.exit_code, 0);
  fits.expect_rows(11);
  const Tried tried(GetParam(), "step-size", {"--step", "0.0995"});
  EXPECT_EQ(tried.ran.exit_code, 4);
  EXPECT_TRUE(says(tried.ran.err, "bad-step-size (bad-step-size.fmu")) << tried.ran.err;
  // An FMI 3 FMU that keeps to its standard says nothing while logging is off.
  const char* said = GetParam() == 2 ? "the step size must be a multiple of 1 ms" : "failed in fmi3DoStep";
  EXPECT_TRUE(says(tried.ran.err, said)) << tried.ran.err;
  EXPECT_EQ(tried.folder.table("bad-step-size.csv").rows(), 1u);
}

TEST_P(Misbehaving, missing_function_ends_with_4_and_names_it) {
  const Tried tried(GetParam(), "missing-function");
  EXPECT_EQ(tried.ran.exit_code, 4);
  EXPECT_TRUE(says(tried.ran.err, call("DoStep"))) << tried.ran.err;
  EXPECT_TRUE(says(tried.ran.err, "bad-missing-function.fmu")) << tried.ran.err;
  EXPECT_EQ(number(tried.printed, "exit_code"), 4.0);
  EXPECT_FALSE(tried.folder.has("bad-missing-function.csv"));
}

TEST_P(Misbehaving, token_that_is_not_taken_ends_with_4_and_names_the_call) {
  const Tried tried(GetParam(), "token");
  EXPECT_EQ(tried.ran.exit_code, 4);
  EXPECT_TRUE(says(tried.ran.err, "bad-token (bad-token.fmu")) << tried.ran.err;
  EXPECT_TRUE(says(tried.ran.err, call("Instantiate"))) << tried.ran.err;
  EXPECT_EQ(number(tried.printed, "exit_code"), 4.0);
}

TEST_P(Misbehaving, prints_go_to_standard_error_and_the_answer_stays_one_json_object) {
  const Tried tried(GetParam(), "prints");
  EXPECT_EQ(tried.ran.exit_code, 0);
  EXPECT_EQ(tried.printed.find("ending")->string(), "completed");
  EXPECT_TRUE(says(tried.ran.err, "chatty FMU: stepping"));
  EXPECT_TRUE(says(tried.ran.err, "chatty FMU, raw: instantiated"));
  tried.expect_rows(11);
}

TEST_P(Misbehaving, prints_of_the_many_instances_of_a_probe_are_left_out) {
  const FmuFolder folder(GetParam(), "bad-prints");
  const Ran ran = folder.seam({"linearize", "bad-prints.fmu", "--step", "0.1"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_FALSE(says(ran.out + ran.err, "chatty FMU")) << ran.out << ran.err;
  EXPECT_TRUE(says(ran.out, "bad-prints")) << ran.out;
}

TEST_P(Misbehaving, environment_is_put_back_and_the_result_lies_where_seam_was_started) {
  const Tried tried(GetParam(), "environment");
  EXPECT_EQ(tried.ran.exit_code, 0);
  ASSERT_TRUE(tried.folder.has("bad-environment.csv")) << ::testing::PrintToString(tried.folder.names());
  tried.expect_rows(11);  // to the bit: also the rounding is our own
  EXPECT_EQ(tried.summary_ending(), "completed");
}

TEST_P(Misbehaving, crash_in_a_step_ends_with_4_and_keeps_the_rows_before) {
  const Tried tried(GetParam(), "crash-in-step");
  EXPECT_EQ(tried.ran.exit_code, 4);
  EXPECT_TRUE(says(tried.ran.err, "bad-crash-in-step (bad-crash-in-step.fmu")) << tried.ran.err;
  EXPECT_TRUE(says(tried.ran.err, "segmentation fault")) << tried.ran.err;
  EXPECT_TRUE(says(tried.ran.err, "in " + call("DoStep"))) << tried.ran.err;
  EXPECT_EQ(number(tried.printed, "exit_code"), 4.0);
  EXPECT_TRUE(says(tried.printed.find("error")->string(), "bad-crash-in-step"));
  tried.expect_rows(6);
}

TEST_P(Misbehaving, crash_in_instantiate_ends_with_4_and_names_the_call) {
  const Tried tried(GetParam(), "crash-in-instantiate");
  EXPECT_EQ(tried.ran.exit_code, 4);
  EXPECT_TRUE(says(tried.ran.err, "bad-crash-in-instantiate (bad-crash-in-instantiate.fmu")) << tried.ran.err;
  EXPECT_TRUE(says(tried.ran.err, "in " + call("Instantiate"))) << tried.ran.err;
  EXPECT_EQ(number(tried.printed, "exit_code"), 4.0);
  EXPECT_EQ(tried.folder.names(), Words{"bad-crash-in-instantiate.fmu"});
}

TEST_P(Misbehaving, hang_ends_with_4_after_the_step_timeout_and_keeps_the_rows_before) {
  const Tried tried(GetParam(), "hangs", {"--step", "0.1", "--step-timeout", "0.3"});
  EXPECT_EQ(tried.ran.exit_code, 4);
  EXPECT_TRUE(says(tried.ran.err, "bad-hangs (bad-hangs.fmu")) << tried.ran.err;
  EXPECT_TRUE(says(tried.ran.err, "in " + call("DoStep"))) << tried.ran.err;
  EXPECT_TRUE(says(tried.ran.err, "--step-timeout")) << tried.ran.err;
  EXPECT_EQ(number(tried.printed, "exit_code"), 4.0);
  tried.expect_rows(6);
}

// Each call is short; only all of them together are longer than the limit.
TEST_P(Misbehaving, step_timeout_is_about_one_call_and_not_about_the_run) {
  const FmuFolder folder(GetParam(), "heavy");
  const Ran ran = folder.seam(
      {"run", "heavy.fmu", "--step", "0.001", "--stop", "0.3", "--set", "burn=2e6", "--step-timeout", "0.2"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(folder.table("heavy.csv").rows(), 301u);
}

TEST_P(Misbehaving, hostile_names_and_messages_harm_neither_terminal_nor_result) {
  const Tried tried(GetParam(), "hostile-names");
  EXPECT_EQ(tried.ran.exit_code, 0) << tried.ran.err;
  EXPECT_EQ(tried.printed.find("ending")->string(), "completed");
  for (const char* harm : {"\x1b", "\xc2\x9b", "\xe2\x80\xae"}) {
    EXPECT_FALSE(says(tried.ran.err, harm)) << "standard error";
    EXPECT_FALSE(says(tried.ran.out, harm)) << "standard output";
  }
  const formats::Table table = tried.folder.table("bad-hostile-names.csv");
  EXPECT_EQ(table.rows(), 11u);
  for (const char* name :
       {"<script>alert(1)</script>", "\"quoted\" & 'quoted'", "comma, semicolon; {brace} ${HOME} `id` $(id)"}) {
    EXPECT_TRUE(table.find(std::string("bad-hostile-names.") + name)) << name;
  }
}

TEST_P(Misbehaving, warnings_from_every_call_do_not_stop_a_run) {
  const Tried tried(GetParam(), "warns");
  EXPECT_EQ(tried.ran.exit_code, 0);
  tried.expect_rows(11);
}

// The FMU says OK and is half a step behind. FMI 3 returns the time it reached; FMI 2 may be asked only after a
// discard.
TEST_P(Misbehaving, stop_half_way_with_status_ok_is_said_where_it_can_be_known) {
  const Tried tried(GetParam(), "last-time");
  EXPECT_EQ(tried.ran.exit_code, 0);
  EXPECT_EQ(tried.folder.table("bad-last-time.csv").rows(), 11u);
  if (GetParam() == 3) {
    EXPECT_TRUE(says(tried.ran.err, "0.55 s")) << tried.ran.err;
  }
}

TEST_P(Misbehaving, state_that_is_restored_wrongly_matters_to_nobody_without_retries) {
  const Tried tried(GetParam(), "restores-wrongly");
  EXPECT_EQ(tried.ran.exit_code, 0);
  tried.expect_rows(11);
}

TEST_P(Misbehaving, single_instance_runs_alone_and_a_second_is_a_problem) {
  const Tried tried(GetParam(), "single");
  EXPECT_EQ(tried.ran.exit_code, 0);
  tried.expect_rows(11);
  const Ran ran = tried.folder.seam({"run", "bad-single.fmu", "bad-single.fmu", "--stop", "1", "--json"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_TRUE(says(ran.err, "\"bad-single\" and \"bad-single_2\" are the same FMU")) << ran.err;
  EXPECT_EQ(number(json(ran.out), "exit_code"), 1.0);
}

}  // namespace
}  // namespace seam::cli
