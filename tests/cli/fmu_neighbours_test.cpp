// FMUs that misbehave towards their neighbours: the host, the cache, and the process that waits for the run to end.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>

#include "cli/fmu_folder.hpp"

namespace seam::cli {
namespace {

class Neighbours : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Fmi, Neighbours, ::testing::Values(2, 3));

// The lag x' = -x + 1 is solved by our own CVODE although the FMU exports functions of the same names that abort.
TEST_P(Neighbours, fake_symbols_of_an_fmu_are_not_called_by_our_solver) {
  FmuFolder folder(GetParam(), "bad-symbols");
  folder.write("s.yaml",
               "seam: 1\nsubsystems:\n  a: {fmu: bad-symbols.fmu}\n"
               "  b: {model: state-space, solver: cvode, set: {A: [[-1]], B: [[1]], C: [[1]]}}\n"
               "  c: {model: constant, set: {value: 1}}\n"
               "connections: [c.y -> b.u, b.y -> a.u]\nexperiment: {stop: 1}\nplan: {step: 0.1}\n"
               "record: {variables: [\"*.*\"]}\n");
  const Ran ran = folder.seam({"run", "s.yaml"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const formats::Table table = folder.table("s.csv");
  double y = 0.0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double t = table.columns[0][i];
    EXPECT_NEAR(column(table, "b.y").at(i), 1.0 - std::exp(-t), 1e-5);
    EXPECT_NEAR(column(table, "a.y").at(i), y, 1e-12);
    y += 0.1 * column(table, "a.u").at(i);
  }
}

// The step matrix needs dgemm and dgeev, for which the FMU has namesakes: the analysis calls its own.
TEST_P(Neighbours, fake_symbols_of_an_fmu_do_not_disturb_an_analysis) {
  FmuFolder folder(GetParam(), "bad-symbols");
  folder.write(
      "s.yaml",
      "seam: 1\nsubsystems:\n  a: {fmu: bad-symbols.fmu}\n  b: {model: state-space, set: {A: [[-1]], B: [[1]]}}\n"
      "connections: [a.y -> b.u, b.y -> a.u]\nexperiment: {stop: 1}\nplan: {step: 0.1}\n");
  const Ran ran = folder.seam({"analyze", "s.yaml"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(says(ran.out, "a: probed")) << ran.out;
}

TEST_P(Neighbours, resources_may_be_written_to_if_the_copy_is_private) {
  FmuFolder folder(GetParam(), "bad-writes-resources");
  const std::string text =
      "seam: 1\nsubsystems:\n  a: {fmu: bad-writes-resources.fmu, private: true}\n"
      "  b: {fmu: bad-writes-resources.fmu, private: true}\nconnections: [a.y -> b.u]\n"
      "experiment: {stop: 1}\nplan: {step: 0.1}\n";
  folder.write("s.yaml", text);
  const Ran ran = folder.seam({"run", "s.yaml"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(folder.table("s.csv").rows(), 11u);
  std::size_t scribbles = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.cache())) {
    if (entry.path().filename() == "scribble.txt") ++scribbles;
  }
  EXPECT_EQ(scribbles, 0u);
}

TEST_P(Neighbours, resources_are_read_only_if_the_copy_is_shared) {
  FmuFolder folder(GetParam(), "bad-writes-resources");
  const Ran ran = folder.seam({"run", "bad-writes-resources.fmu", "--stop", "1", "--json"});
  if (::geteuid() == 0) {  // file modes keep root from nothing: then the modes themselves are what can be seen
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.cache())) {
      if (!entry.is_regular_file() || entry.path().string().find("/content/") == std::string::npos) continue;
      if (entry.path().filename().string().find("scribble") != std::string::npos) continue;  // the FMU's own
      ++files;
      const auto mode = entry.status().permissions();
      EXPECT_EQ(mode & (std::filesystem::perms::owner_write | std::filesystem::perms::others_write),
                std::filesystem::perms::none)
          << entry.path();
    }
    EXPECT_GT(files, 1u);
    return;
  }
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_TRUE(says(ran.err, "bad-writes-resources (bad-writes-resources.fmu")) << ran.err;
  EXPECT_EQ(number(json(ran.out), "exit_code"), 4.0);
}

/// Starts a run that hangs after 0.5 s and asks it to end.
Ran ended_by_request(const FmuFolder& folder, const Words& more = {}) {
  Words words = {"run", "bad-hangs.fmu", "--step", "0.1", "--stop", "1"};
  words.insert(words.end(), more.begin(), more.end());
  const pid_t process = folder.start(words);
  for (int i = 0; i < 2000 && !folder.has("bad-hangs.csv"); ++i) ::usleep(5000);
  ::usleep(100'000);  // it is in the step that hangs by now
  ::kill(process, SIGTERM);
  siginfo_t ended{};
  for (int i = 0; i < 1000 && ended.si_pid == 0; ++i) {
    ::usleep(5000);
    ::waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT | WNOHANG);
  }
  EXPECT_EQ(ended.si_pid, process) << "still there after 5 s";
  return folder.wait(process);
}

TEST_P(Neighbours, request_to_end_a_hanging_run_is_obeyed_within_5_s_and_the_rows_are_kept) {
  const FmuFolder folder(GetParam(), "bad-hangs");
  const Ran ran = ended_by_request(folder);
  EXPECT_EQ(ran.exit_code, 130) << ran.err;
  const formats::Table table = folder.table("bad-hangs.csv");
  ASSERT_EQ(table.rows(), 6u);
  EXPECT_EQ(table.columns[0].back(), 0.5);
}

TEST_P(Neighbours, request_to_end_a_hanging_run_leaves_one_json_object) {
  const FmuFolder folder(GetParam(), "bad-hangs");
  const Ran ran = ended_by_request(folder, {"--json"});
  EXPECT_EQ(ran.exit_code, 130);
  EXPECT_EQ(number(json(ran.out), "exit_code"), 130.0);
}

}  // namespace
}  // namespace seam::cli
