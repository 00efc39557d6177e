// What a user may ask of FMUs beyond running them: tolerance, logs, copies of a library, a strict look.
#include <gtest/gtest.h>

#include "cli/fmu_folder.hpp"

namespace seam::cli {
namespace {

class Wishes : public ::testing::TestWithParam<int> {
 protected:
  std::string prefix() const { return "fmi" + std::to_string(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Fmi, Wishes, ::testing::Values(2, 3));

TEST_P(Wishes, call_log_has_every_call_with_its_arguments_in_order) {
  const FmuFolder folder(GetParam(), "gain");
  const Ran ran = folder.seam({"run", "gain.fmu", "--set", "k=3", "--set", "u=2", "--stop", "0.2", "--step", "0.1",
                               "--log-fmi-calls", "--fmi-log-file", "calls.txt"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::string log = folder.read("calls.txt");
  std::size_t at = 0;
  const std::string real = GetParam() == 2 ? "Real" : "Float64";
  for (const std::string& part :
       {"gain " + prefix() + "Instantiate", prefix() + "Set" + real + "(k=3) -> OK",
        prefix() + "EnterInitializationMode", prefix() + "ExitInitializationMode", prefix() + "DoStep(t=0, h=0.1",
        prefix() + "Get" + real + "(y=6) -> OK", prefix() + "DoStep(t=0.1, h=0.1", prefix() + "Terminate",
        prefix() + "FreeInstance"}) {
    const std::size_t found = log.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << "\nafter byte " << at << " of\n" << log;
    at = found;
  }
}

TEST_P(Wishes, call_log_goes_to_standard_error_if_no_file_is_named) {
  const FmuFolder folder(GetParam(), "gain");
  const Ran ran = folder.seam({"run", "gain.fmu", "--stop", "0.2", "--step", "0.1", "--log-fmi-calls", "--json"});
  EXPECT_TRUE(says(ran.err, "gain " + prefix() + "DoStep")) << ran.err;
  EXPECT_EQ(json(ran.out).find("ending")->string(), "completed");
}

TEST_P(Wishes, call_log_ends_with_the_call_that_crashed) {
  const FmuFolder folder(GetParam(), "bad-crash-in-step");
  const Ran ran = folder.seam({"run", "bad-crash-in-step.fmu", "--stop", "1", "--step", "0.1", "--log-fmi-calls",
                               "--fmi-log-file", "calls.txt"});
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_TRUE(says(folder.read("calls.txt"), prefix() + "DoStep(t=0.3")) << folder.read("calls.txt");
}

TEST_P(Wishes, messages_of_fmus_are_shown_while_they_run_if_asked_for) {
  const FmuFolder folder(GetParam(), "strict");
  const Words words = {"run", "strict.fmu", "--stop", "0.2", "--step", "0.1", "--set", "terminate_at=0.15"};
  Words loud = words;
  loud.insert(loud.end(), {"--log-fmus", "all"});
  EXPECT_TRUE(says(folder.seam(loud).err, "the step passes terminate_at"));
  EXPECT_FALSE(says(folder.seam(words).err, "the step passes terminate_at"));
}

TEST_P(Wishes, category_that_the_fmu_does_not_declare_is_refused_by_name) {
  const FmuFolder folder(GetParam(), "gain");
  const Ran ran = folder.seam({"run", "gain.fmu", "--stop", "0.2", "--step", "0.1", "--log-fmus", "nonsense"});
  EXPECT_NE(ran.exit_code, 0);
  EXPECT_TRUE(says(ran.err, "nonsense")) << ran.err;
}

// The strict FMU writes down a tolerance that differs from the one it expects, and one that was not given.
TEST_P(Wishes, tolerance_reaches_the_fmu_and_nothing_does_without_it) {
  const FmuFolder folder(GetParam(), "strict");
  ::setenv("SEAM_STRICT_LOG", folder.path("illegal-calls").c_str(), 1);
  const Words words = {"run", "strict.fmu", "--stop", "0.2", "--step", "0.1"};
  Words with = words;
  with.insert(with.end(), {"--tolerance", "1e-5", "--set", "expected_tolerance=1e-5"});
  EXPECT_EQ(folder.seam(words).exit_code, 0);
  EXPECT_EQ(folder.seam(with).exit_code, 0);
  EXPECT_FALSE(folder.has("illegal-calls"));
  Words wrong = words;
  wrong.insert(wrong.end(), {"--tolerance", "1e-4", "--set", "expected_tolerance=1e-5"});
  folder.seam(wrong);
  EXPECT_TRUE(folder.has("illegal-calls")) << "the check cannot fail";
  ::unsetenv("SEAM_STRICT_LOG");
}

TEST_P(Wishes, tolerance_that_is_none_is_a_problem) {
  const FmuFolder folder(GetParam(), "gain");
  for (const char* tolerance : {"0", "-1", "1", "nan", "tight"}) {
    EXPECT_TRUE(
        refuses(folder, {"run", "gain.fmu", "--stop", "1", "--step", "0.1", "--tolerance", tolerance}, {tolerance}));
  }
}

TEST_P(Wishes, second_instance_of_a_single_instance_library_is_a_problem_that_offers_copies) {
  const FmuFolder folder(GetParam(), "bad-single");
  EXPECT_TRUE(refuses(folder, {"run", "bad-single.fmu", "bad-single.fmu", "--stop", "1", "--step", "0.1"},
                      {"can be instantiated only once", "copies: allow"}));
  folder.write(
      "s.yaml",
      "seam: 1\nsubsystems:\n  a: {fmu: bad-single.fmu}\n  b: {fmu: bad-single.fmu, copies: allow, serial: true}\n"
      "experiment: {stop: 1}\nplan: {step: 0.1}\n");
  const Ran ran = folder.seam({"run", "s.yaml"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

TEST_P(Wishes, retries_are_refused_where_a_trial_shows_that_the_state_does_not_come_back) {
  const FmuFolder folder(GetParam(), "bad-restores-wrongly");
  folder.write("s.yaml",
               "seam: 1\nsubsystems:\n  c: {model: constant, set: {value: 1}}\n  a: {fmu: bad-restores-wrongly.fmu, "
               "retries: 2}\n"
               "connections: [c.y -> a.u]\nexperiment: {stop: 1}\nplan: {step: 0.1}\n");
  const Ran ran = folder.seam({"run", "s.yaml"});
  EXPECT_EQ(ran.exit_code, 4) << ran.err;
  EXPECT_TRUE(
      says(ran.err, "says it can restore its state, but its output y was 0 and is 0.2 right after it went back"))
      << ran.err;
}

TEST_P(Wishes, resolved_file_keeps_tolerance_copies_and_serial) {
  const FmuFolder folder(GetParam(), "gain");
  folder.write("s.yaml",
               "seam: 1\nsubsystems:\n  a: {fmu: gain.fmu, copies: allow, serial: true}\n"
               "experiment: {stop: 1, tolerance: 1e-7}\nplan: {step: 0.1}\n");
  const Ran ran = folder.seam({"check", "s.yaml", "--print-resolved"});
  for (const char* line : {"copies: allow", "serial: true", "tolerance: 1e-07"})
    EXPECT_TRUE(says(ran.out, line)) << ran.out;
}

}  // namespace
}  // namespace seam::cli
