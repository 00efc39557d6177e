// A run that is cut in two by a saved state is the same run.
#include <gtest/gtest.h>

#include "cli/fmu_folder.hpp"

namespace seam::cli {
namespace {

/// The rows of a result from one time on.
std::string rows_from(const std::string& csv, const std::string& time) {
  const std::size_t at = csv.find("\n" + time + ",");
  return at == std::string::npos ? "no row at " + time : csv.substr(at);
}

class CutInTwo : public ::testing::TestWithParam<int> {
 protected:
  CutInTwo() {
    folder_.add(GetParam(), "two-mass-left");
    folder_.add(GetParam(), "two-mass-right");
    folder_.add(GetParam(), "two-mass-right-poor");
    folder_.add(GetParam(), "types");
    folder_.add(GetParam(), "counter");
  }
  void write(const std::string& right = "{fmu: two-mass-right.fmu}", const std::string& more = "") const {
    folder_.write("s.yaml", "seam: 1\nsubsystems:\n  l: {fmu: two-mass-left.fmu, set: {x0: 1}}\n  r: " + right +
                                "\nconnections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\n" + more);
  }
  Ran run(Words more) const {
    Words words = {"run", "s.yaml"};
    words.insert(words.end(), more.begin(), more.end());
    return folder_.seam(words);
  }
  FmuFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Fmi, CutInTwo, ::testing::Values(2, 3));

TEST_P(CutInTwo, equals_the_whole_run_to_the_bit_with_every_hold_and_beside_native_models) {
  const std::string native = "{model: mass-chain, set: {masses: [1], to_ground: {k: 1}, coupling: {kind: force}}}";
  for (const std::string& right : {std::string("{fmu: two-mass-right.fmu}"), native}) {
    write(right);
    for (const char* coupling : {"zoh", "foh", "soh,samples=micro"}) {
      const Words common = {"--step", "0.1", "--coupling", coupling, "--variables", "*.outputs"};
      const auto with = [&](Words words) {
        words.insert(words.end(), common.begin(), common.end());
        return words;
      };
      ASSERT_EQ(run(with({"--stop", "2", "-o", "whole.csv"})).exit_code, 0);
      ASSERT_EQ(run(with({"--stop", "0.7", "-o", "first.csv", "--final-state", "s.state"})).exit_code, 0);
      const Ran second = run(with({"--stop", "2", "-o", "second.csv", "--initial-state", "s.state"}));
      ASSERT_EQ(second.exit_code, 0) << second.err;
      EXPECT_EQ(rows_from(folder_.read("second.csv"), "0.7000000000000001"),
                rows_from(folder_.read("whole.csv"), "0.7000000000000001"))
          << coupling << " " << right;
    }
  }
}

TEST_P(CutInTwo, discrete_go_on_too) {
  const std::string integer = GetParam() == 2 ? "integer" : "int32";
  folder_.write("s.yaml",
                "seam: 1\nsubsystems: {c: {fmu: counter.fmu}, t: {fmu: types.fmu}}\nconnections: [c.count -> t." +
                    integer + "_in]\nplan: {step: 0.5}\nrecord: {variables: [\"*.outputs\"]}\n");
  ASSERT_EQ(run({"--stop", "4", "-o", "whole.csv"}).exit_code, 0);
  ASSERT_EQ(run({"--stop", "1.5", "-o", "first.csv", "--final-state", "s.state"}).exit_code, 0);
  ASSERT_EQ(run({"--stop", "4", "-o", "second.csv", "--initial-state", "s.state"}).exit_code, 0);
  EXPECT_EQ(rows_from(folder_.read("second.csv"), "1.5"), rows_from(folder_.read("whole.csv"), "1.5"));
}

TEST_P(CutInTwo, another_step_is_fine_where_nothing_remembers_the_old_one) {
  write();
  ASSERT_EQ(run({"--step", "0.1", "--stop", "1", "--final-state", "s.state"}).exit_code, 0);
  const Ran ran = run({"--step", "0.05", "--stop", "2", "--initial-state", "s.state"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(folder_.table("s.csv").columns[0].front(), 1.0);
  EXPECT_EQ(folder_.table("s.csv").rows(), 21u);
}

TEST_P(CutInTwo, another_step_is_a_problem_for_holds) {
  write();
  ASSERT_EQ(run({"--step", "0.1", "--stop", "1", "--coupling", "foh", "--final-state", "s.state"}).exit_code, 0);
  EXPECT_TRUE(refuses(
      folder_, {"run", "s.yaml", "--step", "0.05", "--stop", "2", "--coupling", "foh", "--initial-state", "s.state"},
      {"remember samples 0.1 s apart", "--step 0.1s"}));
}

TEST_P(CutInTwo, another_micro_step_is_a_problem_where_samples_lie_a_micro_step_apart) {
  const Words common = {"--step", "0.1", "--coupling", "foh,samples=micro"};
  const auto with = [&](Words words) {
    words.insert(words.end(), common.begin(), common.end());
    return words;
  };
  const std::string left = "plan: {subsystems: {l: {micro_step: ";
  write("{fmu: two-mass-right.fmu}", left + "50 ms}}}\n");
  ASSERT_EQ(run(with({"--stop", "1", "--final-state", "s.state"})).exit_code, 0);
  write("{fmu: two-mass-right.fmu}", left + "10 ms}}}\n");
  EXPECT_TRUE(refuses(folder_, with({"run", "s.yaml", "--stop", "2", "--initial-state", "s.state"}),
                      {"l has a micro_step of 0.05 s", "l has a micro_step of 0.01 s", "it was saved with"}));
  ASSERT_EQ(run({"--step", "0.1", "--stop", "1", "--final-state", "s.state"}).exit_code, 0);
  write();
  EXPECT_EQ(run({"--step", "0.1", "--stop", "2", "--initial-state", "s.state"}).exit_code, 0);
}

TEST_P(CutInTwo, another_system_another_start_or_an_early_stop_is_a_problem) {
  write();
  ASSERT_EQ(run({"--step", "0.1", "--stop", "1", "--final-state", "s.state"}).exit_code, 0);
  EXPECT_TRUE(refuses(folder_, {"run", "s.yaml", "--step", "0.1", "--stop", "1", "--initial-state", "s.state"},
                      {"the stop time 1 s is not after the state's time 1 s"}));
  EXPECT_TRUE(refuses(folder_,
                      {"run", "s.yaml", "--step", "0.1", "--stop", "2", "--start", "0.5", "--initial-state", "s.state"},
                      {"the state is of 1 s", "start at 0.5 s"}));
  EXPECT_TRUE(refuses(
      folder_, {"run", "s.yaml", "--step", "0.1", "--stop", "2", "--coupling", "foh", "--initial-state", "s.state"},
      {"another system", "by zoh", "by foh"}));
}

TEST_P(CutInTwo, fmu_that_cannot_serialise_is_a_problem_before_the_run) {
  write("{fmu: two-mass-right-poor.fmu}");
  EXPECT_TRUE(refuses(folder_, {"run", "s.yaml", "--step", "0.1", "--stop", "1", "--final-state", "s.state"},
                      {"the state of \"r\" cannot be saved", "canSerializeFMUState"}));
  EXPECT_FALSE(folder_.has("s.csv"));
}

TEST_P(CutInTwo, damaged_file_is_an_error_and_no_crash) {
  write();
  ASSERT_EQ(run({"--step", "0.1", "--stop", "1", "--final-state", "s.state"}).exit_code, 0);
  const std::string whole = folder_.read("s.state");
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{20}, whole.size() / 2, whole.size() - 1}) {
    folder_.write("s.state", whole.substr(0, size));
    const Ran ran = run({"--step", "0.1", "--stop", "2", "--initial-state", "s.state"});
    EXPECT_EQ(ran.exit_code, 1) << size << ran.err;
    EXPECT_TRUE(says(ran.err, "s.state")) << ran.err;
  }
  folder_.write("s.state", whole + "x");
  EXPECT_EQ(run({"--step", "0.1", "--stop", "2", "--initial-state", "s.state"}).exit_code, 1);
}

TEST_P(CutInTwo, state_that_another_version_saved_is_told_as_such) {
  write();
  ASSERT_EQ(run({"--step", "0.1", "--stop", "1", "--final-state", "s.state"}).exit_code, 0);
  const std::string now = folder_.read("s.state");
  folder_.write("s.state", "seam state 1" + now.substr(now.find('\n')));
  const Ran ran = run({"--step", "0.1", "--stop", "2", "--initial-state", "s.state"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_TRUE(says(ran.err, "another version of seam")) << ran.err;
}

TEST_P(CutInTwo, another_gain_or_setting_is_another_system) {
  write();
  ASSERT_EQ(run({"--step", "0.1", "--stop", "1", "--final-state", "s.state"}).exit_code, 0);
  EXPECT_TRUE(refuses(
      folder_, {"run", "s.yaml", "--step", "0.1", "--stop", "2", "--set", "l.k=100", "--initial-state", "s.state"},
      {"another system", "l.k is set to 100"}));
}

TEST_P(CutInTwo, files_that_would_replace_each_other_or_what_is_read_are_problems) {
  write();
  const Words base = {"run", "s.yaml", "--step", "0.1", "--stop", "1"};
  const auto with = [&](Words more) {
    more.insert(more.begin(), base.begin(), base.end());
    return more;
  };
  EXPECT_TRUE(refuses(folder_, with({"-o", "x", "--final-state", "x"}), {"cannot both be"}));
  EXPECT_TRUE(refuses(folder_, with({"--log-fmi-calls", "--fmi-log-file", "s.yaml"}), {"would replace \"s.yaml\""}));
  EXPECT_TRUE(refuses(folder_, with({"--final-state", "none/x"}), {"there is no folder for the final state"}));
  ASSERT_EQ(folder_.seam(with({"--final-state", "x"})).exit_code, 0);
  EXPECT_TRUE(refuses(folder_, with({"--initial-state", "x", "-o", "x"}), {"would replace \"x\""}));
}

TEST_P(CutInTwo, single_fmu_needs_no_system_file_and_says_where_the_state_is) {
  folder_.add(GetParam(), "integrator");
  const Ran ran = folder_.seam({"run", "integrator.fmu", "--set", "u=2", "--set", "k=1", "--step", "0.5", "--stop", "1",
                                "--final-state", "i.state", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(json(ran.out).find("final_state")->string(), "i.state");
  const Ran more = folder_.seam({"run", "integrator.fmu", "--set", "u=2", "--set", "k=1", "--step", "0.5", "--stop",
                                 "3", "--initial-state", "i.state"});
  ASSERT_EQ(more.exit_code, 0) << more.err;
  EXPECT_EQ(column(folder_.table("integrator.csv"), "integrator.y"), (std::vector<double>{2, 3, 4, 5, 6}));
}

// Models that follow the motion were taken up as they are at the start: the eighth digit differed.
TEST(CutInTwoNatively, equals_the_whole_run_to_the_bit_with_a_corrector_whose_models_follow_the_motion) {
  const Folder folder;
  const auto run = [&](Words more) {
    Words words = {"run", SEAM_SOURCE_DIR "/examples/dual-oscillator-nonlinear.yaml", "--corrector", "tracking"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = folder.seam(words);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
  };
  run({"-o", "whole.csv"});
  run({"--stop", "0.06", "-o", "first.csv", "--final-state", "s.state"});
  run({"-o", "second.csv", "--initial-state", "s.state"});
  EXPECT_EQ(rows_from(folder.read("second.csv"), "0.0605"), rows_from(folder.read("whole.csv"), "0.0605"));
}

}  // namespace
}  // namespace seam::cli
