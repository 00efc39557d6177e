// --threads as a user meets it: crashes and hangs on another thread, wrong words, what is said.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "cli/fmu_folder.hpp"

namespace seam::cli {
namespace {

/// Four integrators in a ring, of which some are others; of four threads each has one.
struct Ring : FmuFolder {
  Ring(int version, const std::vector<std::string>& kinds) {
    std::string text = "seam: 1\nsubsystems:\n";
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (!has(kinds[i] + ".fmu")) add(version, kinds[i]);
      text += "  s" + std::to_string(i) + ": {fmu: " + kinds[i] + ".fmu}\n";
    }
    text += "connections: [s0.y -> s1.u, s1.y -> s2.u, s2.y -> s3.u, s3.y -> s0.u]\n";
    write("ring.yaml", text + "experiment: {stop: 1}\nplan: {step: 0.1}\n");
  }
};

class ThreadsOfTheProgram : public ::testing::TestWithParam<int> {
 protected:
  std::string call(const std::string& function) const { return "fmi" + std::to_string(GetParam()) + function; }
};
INSTANTIATE_TEST_SUITE_P(Fmi, ThreadsOfTheProgram, ::testing::Values(2, 3));

TEST_P(ThreadsOfTheProgram, crash_is_blamed_on_the_one_that_crashed_and_the_rows_before_are_kept) {
  for (std::size_t culprit = 0; culprit < 4; ++culprit) {
    std::vector<std::string> kinds(4, "integrator");
    kinds[culprit] = "bad-crash-in-step";
    const Ring ring(GetParam(), kinds);
    const Ran ran = ring.seam({"run", "ring.yaml", "--threads", "always:4", "--json"});
    EXPECT_EQ(ran.exit_code, 4);
    EXPECT_TRUE(says(ran.err, "error: s" + std::to_string(culprit) + " (bad-crash-in-step.fmu")) << ran.err;
    EXPECT_TRUE(says(ran.err, "segmentation fault) in " + call("DoStep"))) << ran.err;
    EXPECT_EQ(number(json(ran.out), "exit_code"), 4.0);
    EXPECT_EQ(ring.table("ring.csv").rows(), 6u);
  }
}

TEST_P(ThreadsOfTheProgram, two_crashes_at_the_same_time_are_one_message_and_the_rows_before_are_kept) {
  const Ring ring(GetParam(), {"integrator", "bad-crash-in-step", "bad-crash-in-step", "bad-crash-in-step"});
  const Ran ran = ring.seam({"run", "ring.yaml", "--threads", "always:4", "--json"});
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_EQ(count(ran.err, "segmentation fault"), 1u) << ran.err;
  EXPECT_EQ(number(json(ran.out), "exit_code"), 4.0);
  EXPECT_EQ(ring.table("ring.csv").rows(), 6u);
}

TEST_P(ThreadsOfTheProgram, hang_is_blamed_on_the_one_that_hangs_and_the_rows_before_are_kept) {
  for (const std::size_t culprit : {std::size_t{0}, std::size_t{2}}) {
    std::vector<std::string> kinds(4, "integrator");
    kinds[culprit] = "bad-hangs";
    const Ring ring(GetParam(), kinds);
    const Ran ran = ring.seam({"run", "ring.yaml", "--threads", "always:4", "--step-timeout", "0.3"});
    EXPECT_EQ(ran.exit_code, 4);
    EXPECT_TRUE(says(ran.err, "error: s" + std::to_string(culprit) + " (bad-hangs.fmu")) << ran.err;
    EXPECT_TRUE(says(ran.err, "did not come back within --step-timeout (0.3 s) in " + call("DoStep"))) << ran.err;
    EXPECT_EQ(ring.table("ring.csv").rows(), 6u);
  }
}

// One thread visits them in a row: together they take longer than the limit.
TEST_P(ThreadsOfTheProgram, a_row_of_fmus_that_all_come_back_in_time_is_no_hang) {
  const Ring ring(GetParam(), std::vector<std::string>(4, "heavy"));
  Words words{"run", "ring.yaml", "--threads", "1", "--stop", "0.3", "--step-timeout", "0.3"};
  for (const char* who : {"s0", "s1", "s2", "s3"}) {
    words.push_back("--set");
    words.push_back(std::string(who) + ".burn=1e8");  // ns
  }
  const Ran ran = ring.seam(words);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

TEST_P(ThreadsOfTheProgram, interrupt_ends_a_run_at_a_communication_point) {
  const Ring ring(GetParam(), {"integrator", "integrator", "integrator", "integrator"});
  const pid_t process = ring.start({"run", "ring.yaml", "--threads", "always:3", "--step", "1e-6", "--stop", "1000"});
  while (!ring.has("ring.csv")) ::usleep(2000);
  ::kill(process, SIGINT);
  const Ran ran = ring.wait(process);
  EXPECT_EQ(ran.exit_code, 130) << ran.err;
  EXPECT_EQ(ring.json("ring.summary.json").find("ending")->string(), "interrupted");
  EXPECT_EQ(number(ring.json("ring.summary.json"), "threads"), 3.0);
}

TEST(ThreadsFlag, is_refused_where_it_is_no_number_of_threads) {
  const std::string text = "seam: 1\nsubsystems:\n  a: {model: state-space, set: {A: [[-1]]}}\nplan: {step: 1}\n";
  const Folder folder("system.yaml", text);
  for (const char* wrong : {"0", "two", "always", "300", "1.5"}) {
    const Ran ran = folder.seam({"run", "system.yaml", "--stop", "1", "--threads", wrong});
    EXPECT_EQ(ran.exit_code, 1) << wrong;
    EXPECT_TRUE(says(ran.err, "\"" + std::string(wrong) + "\" is no number of threads")) << ran.err;
    EXPECT_TRUE(says(ran.err, "always:4")) << ran.err;
  }
  EXPECT_TRUE(refused(text.substr(0, text.find("plan")) + "plan: {step: 1, threads: many}\nexperiment: {stop: 1}\n",
                      "system.yaml:4:26:", {"\"many\" is no number of threads"}));
}

TEST(ThreadsFlag, what_was_decided_is_said) {
  const Folder folder("system.yaml",
                      "seam: 1\nsubsystems:\n  a: {model: state-space, set: {A: [[-1]], x0: [1]}}\n  b: {model: "
                      "state-space, set: {A: [[-1]], B: [[1]]}}\nconnections: [a.y -> b.u]\nplan: {step: 1}\n");
  const Ran measured = folder.seam({"run", "system.yaml", "--stop", "1000", "--threads", "2"});
  EXPECT_EQ(measured.exit_code, 0);
  EXPECT_TRUE(says(measured.err, "notice: one thread: the steps of all subsystems take ")) << measured.err;
  const Ran in_turn =
      folder.seam({"run", "system.yaml", "--stop", "1000", "--threads", "2", "--schedule", "gauss-seidel", "--quiet"});
  EXPECT_EQ(in_turn.exit_code, 0);
  const Ran resolved = folder.seam({"check", "system.yaml", "--print-resolved"});
  EXPECT_TRUE(says(resolved.out, "threads: 1")) << resolved.out;
}

}  // namespace
}  // namespace seam::cli
