// How a run ends: exit codes, divergence, interruption.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <csignal>

#include "cli/command.hpp"
#include "cli/two_lags.hpp"

namespace seam::cli {
namespace {

using formats::Value;

/// Grows by a factor of e^rate a second.
std::string growing(const std::string& rate) { return with("A: [[-1]]", "A: [[" + rate + "]]", with("100 ms", "1 s")); }

TEST(Endings, growth_past_the_limit_ends_with_3_and_names_connection_and_time) {
  const Folder folder("system.yaml", growing("1"));
  const Ran ran = folder.seam({"run", "system.yaml", "--stop", "50", "--growth-limit", "100", "--json"});
  EXPECT_EQ(ran.exit_code, 3);
  const formats::Table table = folder.table("system.csv");
  for (const double y : *table.find("a.y")) EXPECT_LE(std::abs(y), 100.0);
  EXPECT_EQ(table.columns[0].back(), 4.0);  // e^4 is 54.6, e^5 is 148.4
  EXPECT_NE(ran.err.find("a.y -> b.u"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("5 s"), std::string::npos) << ran.err;
  const Value printed = json(ran.out);
  EXPECT_EQ(printed.find("ending")->string(), "diverged");
  EXPECT_EQ(printed.find("culprit")->string(), "a.y");
  EXPECT_EQ(printed.find("culprit_sink")->string(), "b.u");
  EXPECT_EQ(number(printed, "time"), 5.0);
  EXPECT_EQ(folder.json("system.summary.json").find("ending")->string(), "diverged");
}

TEST(Endings, overflow_to_infinity_is_divergence_whatever_the_limit) {
  const Folder folder("system.yaml", growing("500"));  // e^500 is 1e217, e^1000 is too large for a double
  const Ran ran = folder.seam({"run", "system.yaml", "--stop", "50", "--growth-limit", "1.7e308"});
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE(ran.err.find("diverged at 2 s: a.y -> b.u"), std::string::npos) << ran.err;
  const formats::Table table = folder.table("system.csv");
  ASSERT_EQ(table.rows(), 2u);
  EXPECT_NEAR(std::log(table.find("a.y")->at(1)), 500.0, 1e-9);
}

TEST(Endings, overflow_in_an_output_that_nobody_hears_is_divergence_too) {
  const Folder folder("system.yaml",
                      "seam: 1\nsubsystems: {a: {model: state-space, set: {A: [[1]], x0: [1]}}}\n"
                      "experiment: {stop: 50}\nplan: {step: 1}\n");
  const Ran ran = folder.seam({"run", "system.yaml", "--growth-limit", "100"});
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE(ran.err.find("diverged at 5 s: a.y"), std::string::npos) << ran.err;
}

TEST(Endings, divergence_is_said_even_when_quiet) {
  const Folder folder("system.yaml", growing("1"));
  const Ran ran = folder.seam({"run", "system.yaml", "--stop", "50", "--growth-limit", "100", "-q"});
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE(ran.err.find("a.y -> b.u"), std::string::npos);
}

TEST(Endings, growth_below_the_limit_is_no_divergence) {
  const Folder folder("system.yaml", growing("1"));
  EXPECT_EQ(folder.seam({"run", "system.yaml", "--stop", "20"}).exit_code, 0);
  EXPECT_GT(folder.table("system.csv").find("a.y")->back(), 1e8);
}

TEST(Endings, growth_limit_that_is_no_limit_is_wrong_usage) {
  const Folder folder("system.yaml", two_lags);
  for (const char* limit : {"0", "-1", "much", "nan"}) {
    EXPECT_EQ(folder.seam({"run", "system.yaml", "--growth-limit", limit}).exit_code, 2) << limit;
  }
}

TEST(Endings, require_stable_ends_with_5_if_the_coupling_is_not) {
  const Folder folder("system.yaml", growing("1"));
  EXPECT_EQ(folder.seam({"analyze", "system.yaml"}).exit_code, 0);
  const Ran ran = folder.seam({"analyze", "system.yaml", "--require", "stable", "--json"});
  EXPECT_EQ(ran.exit_code, 5);
  EXPECT_FALSE(json(ran.out).find("stable")->boolean());
  EXPECT_NE(ran.err.find("required to be stable"), std::string::npos);
  const Folder stable("system.yaml", two_lags);
  EXPECT_EQ(stable.seam({"analyze", "system.yaml", "--require", "stable"}).exit_code, 0);
}

TEST(Endings, max_nrmse_ends_with_5_if_the_error_is_larger) {
  Folder folder("reference.csv", "time,y\n0,0\n1,1\n2,2\n");
  folder.write("result.csv", "time,y\n0,0\n1,1\n2,2.2\n");  // rms 0.2/sqrt(3), range 2
  EXPECT_EQ(folder.seam({"compare", "result.csv", "reference.csv", "--max-nrmse", "0.058"}).exit_code, 0);
  const Ran ran = folder.seam({"compare", "result.csv", "reference.csv", "--max-nrmse", "0.057", "--json"});
  EXPECT_EQ(ran.exit_code, 5);
  EXPECT_NEAR(number(json(ran.out), "nrmse_range"), 0.1 / std::sqrt(3.0), 1e-15);
}

// A result that is not a number is not within any tolerance.
TEST(Endings, max_nrmse_is_not_met_by_a_result_that_is_not_a_number) {
  Folder folder("reference.csv", "time,y,z\n0,0,0\n1,1,1\n2,2,2\n");
  folder.write("result.csv", "time,y,z\n0,0,0\n1,nan,1\n2,2,2\n");
  EXPECT_EQ(folder.seam({"compare", "result.csv", "reference.csv", "--max-nrmse", "0.1"}).exit_code, 5);
}

TEST(Endings, wrong_usage_ends_with_2_and_prints_no_result) {
  const Folder folder("system.yaml", two_lags);
  for (const Words& words : std::vector<Words>{{},
                                               {"frobnicate"},
                                               {"run"},
                                               {"run", "system.yaml", "--bogus"},
                                               {"run", "system.yaml", "other.yaml"},
                                               {"analyze", "system.yaml", "--require", "fast"},
                                               {"compare", "system.yaml"},
                                               {"compare", "a.csv", "b.csv", "--max-nrmse", "-1"}}) {
    const Ran ran = folder.seam(words);
    EXPECT_EQ(ran.exit_code, 2) << ::testing::PrintToString(words);
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err, "");
  }
  EXPECT_EQ(folder.names(), Words{"system.yaml"});
}

TEST(Endings, help_and_version_end_with_0) {
  const Folder folder;
  for (const Words& words : std::vector<Words>{{"--help"}, {"run", "--help"}, {"--version"}}) {
    const Ran ran = folder.seam(words);
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_NE(ran.out, "");
    EXPECT_EQ(ran.err, "");
  }
}

// u = y + 1 around a gain of 1 has no solution.
TEST(Endings, feed_through_loop_without_solution_ends_with_4_and_names_the_ports) {
  const Folder folder("system.yaml",
                      "seam: 1\nsubsystems:\n  g: {model: gain, set: {k: 1}}\n  h: {model: gain, set: {k: 1}}\n"
                      "connections:\n  - g.y -> h.u\n  - {from: h.y, to: g.u, offset: 1}\n"
                      "experiment: {stop: 1}\nplan: {step: 0.1}\n");
  const Ran ran = folder.seam({"run", "system.yaml"});
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_NE(ran.err.find("g.y -> h.u"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("h.y -> g.u"), std::string::npos) << ran.err;
  EXPECT_EQ(folder.names(), Words{"system.yaml"});
}

TEST(Endings, interrupt_ends_with_130_and_keeps_whole_rows) {
  const Folder folder("system.yaml", two_lags);
  const pid_t process = folder.start({"run", "system.yaml", "--stop", "1e7"});
  for (int i = 0; i < 2000 && !folder.has("system.csv"); ++i) ::usleep(5000);
  ASSERT_EQ(::kill(process, SIGINT), 0);
  const Ran ran = folder.wait(process);
  EXPECT_EQ(ran.exit_code, 130);
  EXPECT_NE(ran.err.find("interrupted at"), std::string::npos) << ran.err;
  const formats::Table table = folder.table("system.csv");  // whole rows, or it would not read
  ASSERT_GT(table.rows(), 0u);
  const Value summary = folder.json("system.summary.json");
  EXPECT_EQ(summary.find("ending")->string(), "interrupted");
  EXPECT_EQ(number(summary, "rows"), static_cast<double>(table.rows()));
  EXPECT_EQ(number(summary, "time"), table.columns[0].back());
  EXPECT_LT(table.columns[0].back(), 1e7);
}

TEST(Endings, interrupt_ends_a_reference_with_130_too) {
  const Folder folder("system.yaml", two_lags);
  const pid_t process = folder.start({"reference", "system.yaml", "--stop", "1e7"});
  for (int i = 0; i < 2000 && !folder.has("system.reference.csv"); ++i) ::usleep(5000);
  ASSERT_EQ(::kill(process, SIGINT), 0);
  EXPECT_EQ(folder.wait(process).exit_code, 130);
  EXPECT_GT(folder.table("system.reference.csv").rows(), 0u);
}

}  // namespace
}  // namespace seam::cli
