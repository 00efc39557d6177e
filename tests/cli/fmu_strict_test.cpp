// The strict FMU on the command line: it writes down each call that the standard forbids, also when a run is cut short.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "cli/fmu_folder.hpp"

namespace seam::cli {
namespace {

class StrictProgram : public ::testing::TestWithParam<int> {
 protected:
  StrictProgram() : folder_(GetParam(), "strict") {
    folder_.add(5 - GetParam(), "strict", "other");
    ::setenv("SEAM_STRICT_LOG", folder_.path("illegal-calls").c_str(), 1);
  }
  ~StrictProgram() override { ::unsetenv("SEAM_STRICT_LOG"); }

  std::string illegal_calls() const { return folder_.has("illegal-calls") ? folder_.read("illegal-calls") : ""; }

  FmuFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Fmi, StrictProgram, ::testing::Values(2, 3));

TEST_P(StrictProgram, info_and_check_make_no_call_at_all) {
  EXPECT_EQ(folder_.seam({"info", "strict.fmu"}).exit_code, 0);
  EXPECT_EQ(folder_.seam({"check", "strict.fmu"}).exit_code, 0);
  EXPECT_EQ(illegal_calls(), "");
}

TEST_P(StrictProgram, two_versions_coupled_make_no_illegal_call) {
  for (const char* coupling : {"zoh", "foh", "soh"}) {
    const Ran ran = folder_.seam({"run", "strict.fmu", "other.fmu", "--connect", "strict.y=other.u", "--connect",
                                  "strict.u=other.y", "--stop", "1", "--step", "0.1", "--coupling", coupling});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(illegal_calls(), "") << coupling;
  }
}

TEST_P(StrictProgram, input_file_makes_no_illegal_call) {
  folder_.write("u.csv", "time,u\n0,0\n1,1\n");
  const Ran ran = folder_.seam({"run", "strict.fmu", "--input-file", "u.csv", "--stop", "1", "--step", "0.1"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(illegal_calls(), "");
}

TEST_P(StrictProgram, check_of_a_system_with_it_makes_no_illegal_call) {
  folder_.write("s.yaml",
                "seam: 1\nsubsystems: {a: {fmu: strict.fmu, retries: 2}, b: {fmu: other.fmu}}\n"
                "connections: [a.y -> b.u, b.z -> a.u]\nexperiment: {stop: 1}\nplan: {step: 0.1}\n");
  EXPECT_EQ(folder_.seam({"check", "s.yaml"}).exit_code, 0);
  EXPECT_EQ(illegal_calls(), "");
}

TEST_P(StrictProgram, wish_to_end_ends_with_0_and_says_who_asked) {
  const Ran ran =
      folder_.seam({"run", "strict.fmu", "--stop", "1", "--step", "0.1", "--set", "terminate_at=0.55", "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(json(ran.out).find("ending")->string(), "ended by a subsystem");
  EXPECT_TRUE(says(ran.err, "strict (strict.fmu")) << ran.err;
  EXPECT_TRUE(says(ran.err, "asked to end the run at")) << ran.err;
  EXPECT_EQ(illegal_calls(), "");
}

TEST_P(StrictProgram, interrupt_in_the_middle_ends_its_life_legally) {
  const pid_t process = folder_.start({"run", "strict.fmu", "other.fmu", "--connect", "strict.y=other.u", "--step",
                                       "0.001", "--stop", "1e7", "--every", "1", "-o", "r.csv"});
  for (int i = 0; i < 2000 && !folder_.has("r.csv"); ++i) ::usleep(5000);
  ::usleep(50'000);
  ::kill(process, SIGINT);
  const Ran ran = folder_.wait(process);
  EXPECT_EQ(ran.exit_code, 130) << ran.err;
  EXPECT_TRUE(says(ran.err, "interrupted at")) << ran.err;
  EXPECT_EQ(illegal_calls(), "");
}

}  // namespace
}  // namespace seam::cli
