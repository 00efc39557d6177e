// Studies as a user meets them.
#include <csignal>

#include "cli/command.hpp"

namespace seam::cli {
namespace {

class StudyCommand : public ::testing::Test {
 protected:
  StudyCommand() {
    folder_.write("pair.yaml",
                  "seam: 1\nsubsystems:\n"
                  "  left: {model: mass-chain, set: {masses: [0.1], to_ground: {k: 10, d: 0.1}, "
                  "coupling: {kind: spring, k: 10, d: 0.1}, x0: [1]}}\n"
                  "  right: {model: mass-chain, set: {masses: [0.1], to_ground: {k: 10, d: 0.1}, "
                  "coupling: {kind: force}}}\n"
                  "connections: [left.F -> right.F_in, right.x1 -> left.x_in, right.v1 -> left.v_in]\n"
                  "experiment: {stop: 0.2}\nplan: {step: 0.01}\n");
    folder_.write("s.yaml", "study: 1\nsystem: pair.yaml\nvary: {plan.step: [5 ms, 10 ms]}\n");
  }

  Folder folder_;
};

TEST_F(StudyCommand, writes_one_row_a_case_and_a_summary) {
  const Ran ran = folder_.seam({"study", "s.yaml", "--workers", "2"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.err.find("6 of 6 cases of s in s.csv"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("no coupling"), std::string::npos) << ran.err;
  EXPECT_EQ(folder_.names(), (Words{"pair.yaml", "s.csv", "s.summary.json", "s.yaml"}));
  EXPECT_TRUE(folder_.json("s.summary.json").find("complete")->boolean());
}

TEST_F(StudyCommand, a_dry_run_counts_the_cases_and_writes_nothing) {
  const Ran ran = folder_.seam({"study", "s.yaml", "--dry-run"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("2 points x 3 methods = 6 cases"), std::string::npos) << ran.out;
  EXPECT_EQ(folder_.names(), (Words{"pair.yaml", "s.yaml"}));
}

TEST_F(StudyCommand, a_result_is_neither_replaced_nor_continued_unasked) {
  EXPECT_EQ(folder_.seam({"study", "s.yaml", "-q"}).exit_code, 0);
  const std::string rows = folder_.read("s.csv");
  const Ran again = folder_.seam({"study", "s.yaml"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_NE(again.err.find("--resume"), std::string::npos) << again.err;
  EXPECT_EQ(folder_.seam({"study", "s.yaml", "--resume", "-q"}).exit_code, 0);
  EXPECT_EQ(folder_.seam({"study", "s.yaml", "--force", "-q"}).exit_code, 0);
  EXPECT_EQ(folder_.seam({"study", "s.yaml", "--force", "--resume"}).exit_code, 2);
  EXPECT_EQ(folder_.read("s.csv"), rows);
}

TEST_F(StudyCommand, fails_only_if_every_case_does) {
  folder_.write("bad.yaml", "study: 1\nsystem: pair.yaml\ngrowth_limit: 1e-3\n");
  const Ran ran = folder_.seam({"study", "bad.yaml"});
  EXPECT_EQ(ran.exit_code, 4) << ran.err;
  EXPECT_NE(ran.err.find("failed: there is no reference"), std::string::npos) << ran.err;
}

TEST_F(StudyCommand, a_problem_has_place_and_mend) {
  folder_.write("bad.yaml", "study: 1\nsystem: pair.yaml\nvary: {lef.to_ground.k: [1]}\n");
  const Ran ran = folder_.seam({"study", "bad.yaml"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("bad.yaml:3:8"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("did you mean \"left\"?"), std::string::npos) << ran.err;
}

TEST_F(StudyCommand, an_interrupted_study_is_resumed) {
  folder_.write(
      "long.yaml",
      "study: 1\nsystem: pair.yaml\nseed: 1\nsamples: 100000\nvary: {left.to_ground.k: {uniform: [5, 50]}}\n");
  const pid_t process = folder_.start({"study", "long.yaml", "--workers", "1"});
  while (!folder_.has("long.csv") || folder_.read("long.csv").size() < 2000) {
  }
  ::kill(process, SIGINT);
  const Ran ran = folder_.wait(process);
  EXPECT_EQ(ran.exit_code, 130) << ran.err;
  EXPECT_NE(ran.err.find("--resume goes on from here"), std::string::npos) << ran.err;
  EXPECT_FALSE(folder_.json("long.summary.json").find("complete")->boolean());
  const std::string rows = folder_.read("long.csv");
  const pid_t more = folder_.start({"study", "long.yaml", "--workers", "1", "--resume"});
  while (folder_.read("long.csv").size() < rows.size() + 2000) {
  }
  ::kill(more, SIGINT);
  EXPECT_EQ(folder_.wait(more).exit_code, 130);
  EXPECT_EQ(folder_.read("long.csv").substr(0, rows.size()), rows);
}

}  // namespace
}  // namespace seam::cli
