// Results in every format: the same numbers, and readable whatever became of the run.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "cli/fmu_folder.hpp"
#include "cli/two_lags.hpp"

namespace seam::cli {
namespace {

/// How the name of the result ends.
class Formats : public ::testing::TestWithParam<const char*> {
 protected:
  std::string file(const std::string& stem) const { return stem + GetParam(); }

  static constexpr std::size_t sparse = 1000;  ///< steps a row: a long run must not fill the disk
  /// A run that would take very long, when the first rows are in its file.
  pid_t started(const Folder& folder) const {
    const pid_t process = folder.start({"run", "system.yaml", "--stop", "1e10", "--every", "100", "-o", file("x")});
    ::usleep(300'000);  // a reader that comes while an HDF5 file is being made locks the writer out
    for (int i = 0; i < 12'000 && rows(folder) < 1000; ++i) ::usleep(5000);
    return process;
  }
  std::size_t rows(const Folder& folder) const {
    base::Problems unheard;
    return formats::read_table(folder.path(file("x")), unheard).rows();
  }
  /// Whole rows, from the beginning.
  void expect_complete(const formats::Table& table, std::size_t steps_a_row) const {
    ASSERT_GE(table.rows(), 1000u);
    ASSERT_EQ(table.names.size(), 5u);
    for (std::size_t i = 0; i < table.rows(); ++i) {
      ASSERT_EQ(table.columns[0][i], 0.1 * static_cast<double>(i * steps_a_row));
      ASSERT_EQ(table.columns[1][i], table.columns[4][i]);  // what a sends is what b hears
    }
    ASSERT_NE(table.columns[1].back(), 0.0);
  }
};
INSTANTIATE_TEST_SUITE_P(All, Formats, ::testing::Values(".csv", ".mat", ".h5"));

// A lag that keeps its value: every row has numbers that are not zero.
const std::string lasting = with("A: [[-1]], B: [[1]], C: [[1]], x0: [1]", "A: [[0]], B: [[0]], C: [[1]], x0: [1]");

TEST_P(Formats, hold_the_same_numbers_to_the_bit) {
  const Folder folder("system.yaml", two_lags);
  ASSERT_EQ(folder.seam({"run", "system.yaml", "-o", "reference.csv"}).exit_code, 0);
  const Ran ran = folder.seam({"run", "system.yaml", "-o", file("x")});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(says(ran.err, "11 rows of 4 variables in " + file("x"))) << ran.err;
  const formats::Table table = folder.table(file("x")), reference = folder.table("reference.csv");
  EXPECT_EQ(table.names, reference.names);
  EXPECT_EQ(table.units, reference.units);
  EXPECT_EQ(table.columns, reference.columns);
  EXPECT_EQ(number(folder.json("x.summary.json"), "rows"), 11.0);
}

TEST_P(Formats, are_compared_with_one_another) {
  const Folder folder("system.yaml", two_lags);
  ASSERT_EQ(folder.seam({"reference", "system.yaml", "-o", file("reference")}).exit_code, 0);
  ASSERT_EQ(folder.seam({"run", "system.yaml", "-o", "run.csv"}).exit_code, 0);
  ASSERT_EQ(folder.seam({"run", "system.yaml", "-o", file("run2")}).exit_code, 0);
  const Ran same = folder.seam({"compare", "run.csv", file("run2"), "--max-nrmse", "0"});
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  const Ran other = folder.seam({"compare", "run.csv", file("reference"), "--max-nrmse", "1e-9"});
  EXPECT_EQ(other.exit_code, 5) << other.out << other.err;
}

TEST_P(Formats, are_complete_after_an_interrupt) {
  const Folder folder("system.yaml", lasting);
  const pid_t process = started(folder);
  ASSERT_EQ(::kill(process, SIGINT), 0);
  EXPECT_EQ(folder.wait(process).exit_code, 130);
  const formats::Table table = folder.table(file("x"));
  expect_complete(table, sparse);
  EXPECT_EQ(number(folder.json("x.summary.json"), "rows"), static_cast<double>(table.rows()));
}

TEST_P(Formats, are_complete_up_to_the_last_flush_after_a_kill) {
  const Folder folder("system.yaml", lasting);
  const pid_t process = started(folder);
  const std::size_t before = rows(folder);
  ASSERT_EQ(::kill(process, SIGKILL), 0);
  EXPECT_EQ(folder.wait(process).exit_code, -SIGKILL);
  const formats::Table table = folder.table(file("x"));
  expect_complete(table, sparse);
  EXPECT_GE(table.rows(), before);
}

TEST_P(Formats, are_complete_up_to_the_stated_time_on_a_full_disk) {
  const Folder folder("system.yaml", lasting);
  rlimit usual{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  const rlimit small{2'000'000, usual.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Ran ran = folder.seam({"run", "system.yaml", "--stop", "1e9", "-o", file("x")});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &usual), 0);
  EXPECT_EQ(ran.exit_code, 1);
  const formats::Table table = folder.table(file("x"));
  if (table.rows() == 0) {  // full before the first flush
    EXPECT_TRUE(says(ran.err, "File too large; 0 rows were safely written")) << ran.err;
    return;
  }
  expect_complete(table, 1);
  EXPECT_TRUE(says(ran.err, "File too large; ")) << ran.err;
  const auto number_before = [&](const std::string& words) {
    const std::size_t end = ran.err.find(words), begin = ran.err.rfind(' ', end - 1);
    return end == std::string::npos ? -1.0 : std::stod(ran.err.substr(begin, end - begin));
  };
  EXPECT_LE(number_before(" rows were safely written, up to"), static_cast<double>(table.rows()));
  const std::size_t stated = ran.err.find("up to ");
  ASSERT_NE(stated, std::string::npos) << ran.err;
  EXPECT_LE(std::stod(ran.err.substr(stated + 6)), table.columns[0].back());
}

TEST_P(Formats, are_complete_after_an_error_of_an_fmu) {
  const FmuFolder folder(3, "bad-error");
  EXPECT_EQ(folder.seam({"run", "bad-error.fmu", "--stop", "1", "--step", "0.1", "-o", file("x")}).exit_code, 4);
  const formats::Table table = folder.table(file("x"));
  ASSERT_EQ(table.rows(), 6u);
  EXPECT_EQ(table.columns[0].back(), 0.5);
}

// A crash leaves no time for HDF5: what the last flush had is there, and that is nothing here.
TEST_P(Formats, are_readable_after_a_crash_of_an_fmu) {
  const FmuFolder folder(3, "bad-crash-in-step");
  const Ran ran = folder.seam({"run", "bad-crash-in-step.fmu", "--stop", "1", "--step", "0.1", "-o", file("x")});
  EXPECT_EQ(ran.exit_code, 4) << ran.err;
  EXPECT_EQ(folder.table(file("x")).rows(), std::string(GetParam()) == ".h5" ? 0u : 6u);
}

TEST_P(Formats, may_feed_another_run) {
  const Folder folder("system.yaml", two_lags);
  ASSERT_EQ(folder.seam({"run", "system.yaml", "-o", file("x")}).exit_code, 0);
  folder.write("second.yaml", "seam: 1\nsubsystems: {s: {model: csv, set: {file: " + file("x") +
                                  "}}, g: {model: gain, set: {k: 2}}}\nconnections: [s.a.y -> g.u]\n"
                                  "experiment: {stop: 1}\nplan: {step: 0.1}\n");
  const Ran ran = folder.seam({"run", "second.yaml", "--variables", "**", "-o", "second.csv"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(column(folder.table("second.csv"), "s.a.y"), column(folder.table(file("x")), "a.y"));
}

TEST(Summary, says_versions_of_the_fmus_and_where_the_time_went) {
  const FmuFolder folder(3, "integrator");
  ASSERT_EQ(folder.seam({"run", "integrator.fmu", "--stop", "10", "--step", "0.01"}).exit_code, 0);
  const formats::Value summary = folder.json("integrator.summary.json");
  const formats::Value* versions = summary.find("versions");
  ASSERT_TRUE(versions && versions->find("fmus") && versions->find("fmus")->find("integrator"));
  const formats::Value& fmu = *versions->find("fmus")->find("integrator");
  EXPECT_EQ(fmu.find("fmi")->string(), "3.0");
  EXPECT_EQ(fmu.find("file")->string(), "integrator.fmu");
  EXPECT_EQ(fmu.find("sha256")->string().size(), 64u);
  const formats::Value* times = summary.find("times");
  ASSERT_TRUE(times);
  EXPECT_GE(number(*times, "measured_steps"), 1.0);
  EXPECT_LE(number(*times, "measured_steps"), 1000.0 / 32.0 + 1.0);
  EXPECT_GT(number(*times->find("subsystems"), "integrator"), 0.0);
  EXPECT_GE(number(*times, "engine"), 0.0);
  EXPECT_GT(number(*times, "recording"), 0.0);
}

}  // namespace
}  // namespace seam::cli
