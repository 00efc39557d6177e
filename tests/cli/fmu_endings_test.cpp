// FMUs that end the program, or try to, wherever their code runs: exit code 4, their name, the rows so far, one JSON
// object.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "cli/fmu_folder.hpp"
#include "cli/two_lags.hpp"
#include "fmi/unruly_archive.hpp"

namespace seam::cli {
namespace {

/// The FMU of unruly_fmu.cpp over 1 s in steps of 0.1 s, with a deed that it does in the step after 0.5 s or elsewhere.
class Unruly : public ::testing::TestWithParam<int> {
 protected:
  Unruly() { folder_.write("wild.fmu", fmi::unruly_archive(GetParam())); }
  ~Unruly() override { ::unsetenv("SEAM_UNRULY"); }

  Words command(const std::string& deed, const Words& more) const {
    ::setenv("SEAM_UNRULY", deed.c_str(), 1);
    Words words = {"run", "wild.fmu", "--stop", "1", "--step", "0.1", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// Runs it; who is blamed for what is on standard error and in the answer.
  void expect_end(const std::string& deed, const std::string& blame, const Words& more = {}) const {
    SCOPED_TRACE(deed);
    const Ran ran = folder_.seam(command(deed, more));
    EXPECT_EQ(ran.exit_code, 4) << ran.err;
    const std::string name = "wild (wild.fmu, FMI " + std::to_string(GetParam()) + ".0, unknown tool)";
    EXPECT_TRUE(says(ran.err, "error: " + name + " " + blame)) << ran.err;
    const formats::Value printed = json(ran.out);
    EXPECT_EQ(number(printed, "exit_code"), 4.0);
    EXPECT_TRUE(says(printed.find("error")->string(), name + " " + blame)) << ran.out;
  }
  std::string call(const std::string& function) const { return "fmi" + std::to_string(GetParam()) + function; }
  std::size_t rows() const { return folder_.table("wild.csv").rows(); }

  FmuFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Fmi, Unruly, ::testing::Values(2, 3));

TEST_P(Unruly, step_that_ends_the_program_is_blamed_and_the_rows_before_are_kept) {
  const std::string threw = "threw an exception that nothing caught";
  for (const auto& [deed, blame] : std::vector<std::pair<std::string, std::string>>{
           {"exit", "called exit in "},
           {"quick_exit", "called quick_exit in "},
           {"pipe", "was ended by SIGPIPE: it wrote to a closed pipe or socket in "},
           {"alarm", "was ended by SIGALRM: an alarm that seam did not set in "},
           {"throw", threw + " (out of  [31mtune) in "},
           {"throw_number", threw + " in "},
           {"thread_throw", threw + " (astray) in "}}) {
    expect_end(deed + " step", blame + call("DoStep"));
    EXPECT_EQ(rows(), 6u) << deed;
  }
}

TEST_P(Unruly, initialisation_that_ends_the_program_is_blamed) {
  expect_end("exit initialise", "called exit in " + call("EnterInitializationMode"));
  expect_end("throw initialise",
             "threw an exception that nothing caught (out of  [31mtune) in " + call("EnterInitializationMode"));
  expect_end("exit instantiate", "called exit in " + call("Instantiate"));
  expect_end("throw instantiate",
             "threw an exception that nothing caught (out of  [31mtune) in " + call("Instantiate"));
}

TEST_P(Unruly, library_that_ends_the_program_while_it_is_loaded_is_blamed) {
  const std::string there = " in the code that runs when it is loaded";
  expect_end("exit load", "called exit" + there);
  expect_end("throw load", "threw an exception that nothing caught (out of  [31mtune)" + there);
  expect_end("crash load", "crashed (segmentation fault)" + there);
  expect_end("hang load", "did not come back within --step-timeout (0.3 s)" + there, {"--step-timeout", "0.3"});
}

TEST_P(Unruly, library_that_ends_the_program_while_it_is_unloaded_is_blamed_and_all_rows_are_kept) {
  const std::string there = " in the code that runs when it is unloaded";
  for (const auto& [deed, blame] : std::vector<std::pair<std::string, std::string>>{
           {"exit", "called exit"},
           {"throw", "threw an exception that nothing caught (out of  [31mtune)"},
           {"crash", "crashed (segmentation fault)"},
           {"hang", "did not come back within --step-timeout (0.5 s)"}}) {
    expect_end(deed + " unload", blame + there, {"--step-timeout", "0.5"});
    EXPECT_EQ(rows(), 11u) << deed;
  }
}

TEST_P(Unruly, interrupt_of_a_step_that_does_not_end_names_the_fmu) {
  const pid_t process = folder_.start(command("hang step", {"--every", "0.1"}));
  ::usleep(500'000);
  ASSERT_EQ(::kill(process, SIGINT), 0);
  const Ran ran = folder_.wait(process);
  EXPECT_EQ(ran.exit_code, 130);
  EXPECT_TRUE(says(ran.err, "wild (wild.fmu")) << ran.err;
  EXPECT_TRUE(says(ran.err, "did not come back after the program was interrupted in " + call("DoStep"))) << ran.err;
  EXPECT_EQ(number(json(ran.out), "exit_code"), 130.0);
  EXPECT_TRUE(says(json(ran.out).find("error")->string(), "wild (wild.fmu")) << ran.out;
  EXPECT_EQ(rows(), 6u);
}

TEST_P(Unruly, error_of_terminate_is_said) {
  folder_.write("fails-to-terminate.fmu", fmi::unruly_archive(GetParam()));
  const Ran ran = folder_.seam({"run", "fails-to-terminate.fmu", "--stop", "1", "--step", "0.1"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(says(ran.err, "notice: fails-to-terminate (fails-to-terminate.fmu")) << ran.err;
  EXPECT_TRUE(says(ran.err, "failed in " + call("Terminate"))) << ran.err;
}

/// A loop around an FMU that hangs in the step that passes its parameter `at`.
const char* const loop_that_hangs =
    "seam: 1\nsubsystems: {a: {fmu: bad-hangs.fmu, set: {at: 0.25}}, b: {model: gain, set: {k: -1}}}\n"
    "connections: [a.y -> b.u, b.y -> a.u]\nexperiment: {stop: 1}\nplan: {step: 0.1}\n";

TEST(StepTimeout, ends_every_command_that_calls_fmus) {
  FmuFolder folder(2, "bad-hangs");
  folder.write("s.yaml", loop_that_hangs);
  for (const Words& words : std::vector<Words>{
           {"analyze", "s.yaml"}, {"tune", "s.yaml"}, {"linearize", "s.yaml", "--at", "1"}, {"reference", "s.yaml"}}) {
    Words all = words;
    all.insert(all.end(), {"--step-timeout", "0.3", "--json"});
    const Ran ran = folder.seam(all);
    EXPECT_EQ(ran.exit_code, 4) << words.front() << ran.err;
    EXPECT_TRUE(says(ran.err, "bad-hangs.fmu, FMI 2.0, seam) did not come back within --step-timeout (0.3 s) in "))
        << words.front() << ran.err;
    EXPECT_EQ(number(json(ran.out), "exit_code"), 4.0) << words.front();
  }
}

TEST(StepTimeout, costs_a_study_the_case_that_hangs) {
  FmuFolder folder(2, "bad-hangs");
  folder.write("s.yaml", loop_that_hangs);
  folder.write("many.yaml",
               "study: 1\nsystem: s.yaml\nvary: {a.at: [5, 0.25, 6]}\ncompare: [none]\nmetrics: [wall_time]\n");
  const Ran ran = folder.seam({"study", "many.yaml", "--step-timeout", "0.3", "--workers", "1", "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(json(ran.out).find("complete")->boolean());
  const std::string table = folder.read("many.csv");
  EXPECT_EQ(count(table, "\"done\""), 2u) << table;
  EXPECT_EQ(count(table, "\"failed\""), 1u) << table;
  EXPECT_TRUE(says(table, "bad-hangs.fmu, FMI 2.0, seam) did not come back within --step-timeout (0.3 s) in "))
      << table;
  EXPECT_TRUE(says(ran.err, "1 failed: a (bad-hangs.fmu")) << ran.err;
}

TEST(StepTimeoutSlow, study_gives_a_case_up_after_a_minute_unless_told_otherwise) {
  FmuFolder folder(2, "bad-hangs");
  folder.write("s.yaml", loop_that_hangs);
  folder.write("many.yaml",
               "study: 1\nsystem: s.yaml\nvary: {a.at: [0.25, 5]}\ncompare: [none]\nmetrics: [wall_time]\n");
  const Ran ran = folder.wait(folder.start({"study", "many.yaml"}, 120));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const std::string table = folder.read("many.csv");
  EXPECT_EQ(count(table, "\"done\""), 1u) << table;
  EXPECT_TRUE(says(table, "bad-hangs.fmu, FMI 2.0, seam) did not come back within --step-timeout (60 s) in ")) << table;
}

TEST(Study, names_the_fmu_that_costs_it_a_case_and_keeps_the_numbers_of_the_others) {
  FmuFolder folder(2, "bad-crash-in-step");
  folder.write("s.yaml",
               "seam: 1\nsubsystems: {a: {fmu: bad-crash-in-step.fmu}}\nexperiment: {stop: 1}\nplan: {step: 0.1}\n");
  folder.write("many.yaml",
               "study: 1\nsystem: s.yaml\nvary: {a.at: [5, 0.25, 6]}\n"
               "metrics: [{last: {final: time}}]\ntrajectories: [a.y]\n");
  const Ran ran = folder.seam({"study", "many.yaml", "--workers", "2"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const std::string table = folder.read("many.csv");
  EXPECT_TRUE(says(table,
                   "2,2,\"as planned\",0.25,\"failed\",nan,\"a (bad-crash-in-step.fmu, FMI 2.0, seam) crashed "
                   "(segmentation fault) in fmi2DoStep\""))
      << table;
  EXPECT_EQ(count(table, "\"done\",1,\"\""), 2u) << table;
  EXPECT_TRUE(folder.has("many.trajectories.h5"));
}

class Asked : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Signals, Asked, ::testing::Values(SIGINT, SIGTERM, SIGHUP, SIGXCPU));

TEST_P(Asked, to_stop_a_run_writes_its_summary) {
  const Folder folder("system.yaml", two_lags);
  const pid_t process = folder.start({"run", "system.yaml", "--stop", "1e7"});
  for (int i = 0; i < 2000 && !folder.has("system.csv"); ++i) ::usleep(5000);
  ASSERT_EQ(::kill(process, GetParam()), 0);
  EXPECT_EQ(folder.wait(process).exit_code, 130);
  EXPECT_EQ(folder.json("system.summary.json").find("ending")->string(), "interrupted");
}

TEST(Asked, to_ignore_a_closed_terminal_a_run_goes_on) {
  const Folder folder("system.yaml", two_lags);
  const auto before = ::signal(SIGHUP, SIG_IGN);
  const pid_t process = folder.start({"run", "system.yaml", "--stop", "1e7"});
  ::signal(SIGHUP, before);
  for (int i = 0; i < 2000 && !folder.has("system.csv"); ++i) ::usleep(5000);
  ASSERT_EQ(::kill(process, SIGHUP), 0);
  ::usleep(300'000);
  EXPECT_FALSE(folder.has("system.summary.json"));
  ASSERT_EQ(::kill(process, SIGTERM), 0);
  EXPECT_EQ(folder.wait(process).exit_code, 130);
}

TEST(Trials, instances_that_live_together_have_names_of_their_own) {
  FmuFolder folder(2, "integrator");
  folder.write("s.yaml",
               "seam: 1\nsubsystems: {a: {fmu: integrator.fmu}, b: {model: gain, set: {k: -1}}}\n"
               "connections: [a.y -> b.u, b.y -> a.u]\nexperiment: {stop: 1}\nplan: {step: 0.1, coupling: foh}\n");
  const Ran ran = folder.seam({"run", "s.yaml", "--log-fmi-calls"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  for (const char* name : {"a ", "a (trial) ", "a (trial 2) "})
    EXPECT_EQ(count(ran.err, "\n" + std::string(name) + "fmi2FreeInstance"), 1u) << name << ran.err;
}

// Its solver knows steps of 0.1 s alone; it says OK after every step and reports how far whole steps led.
TEST(FixedStep, fmu_runs_by_default_in_its_own_steps_and_is_behind_in_shorter_ones) {
  const FmuFolder folder(3, "types-fixed-step");
  const Ran plain = folder.seam({"run", "types-fixed-step.fmu"});
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_TRUE(says(plain.err, "macro step 0.1 s, whole internal steps of the FMUs")) << plain.err;
  EXPECT_FALSE(says(plain.err, "reports the time")) << plain.err;
  EXPECT_EQ(folder.table("types-fixed-step.csv").rows(), 21u);
  const Ran shorter = folder.seam({"run", "types-fixed-step.fmu", "--step", "0.04"});
  EXPECT_EQ(shorter.exit_code, 0) << shorter.err;
  EXPECT_TRUE(says(shorter.err, "reports the time 0 s after the step 0 s -> 0.04 s, with status OK")) << shorter.err;
  EXPECT_EQ(folder.table("types-fixed-step.csv").rows(), 51u);
}

TEST(CppRuntime, fmu_that_uses_streams_locales_exceptions_threads_and_dlopen_runs) {
  for (const int version : {2, 3}) {
    const FmuFolder folder(version, "cpp-runtime");
    const Ran ran = folder.seam({"run", "cpp-runtime.fmu", "--stop", "1", "--step", "0.1", "--set", "u=3", "--json"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(json(ran.out).find("ending")->string(), "completed");
    EXPECT_TRUE(says(ran.err, "cpp-runtime: 0.500000\ncpp-runtime: created")) << ran.err;
    double y = 0.0;
    for (const double read : column(folder.table("cpp-runtime.csv"), "cpp-runtime.y")) {
      EXPECT_EQ(read, y);
      y += 0.1 * 3.0;
    }
  }
}

}  // namespace
}  // namespace seam::cli
