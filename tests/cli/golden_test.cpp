// What the program prints on the benchmark, as approved in golden/. `tests/cli/approve` accepts a change.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/command.hpp"
#include "cli/golden_text.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::cli {
namespace {

const std::string benchmark = SEAM_SOURCE_DIR "/examples/benchmark.yaml";

void expect_golden(const std::string& name, const Ran& ran) {
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::string path = SEAM_SOURCE_DIR "/tests/cli/golden/" + name + ".txt";
  if (std::getenv("SEAM_APPROVE")) formats::write_text(path, ran.out);
  EXPECT_EQ(difference(formats::read_text(path), ran.out), "") << "to accept it, run tests/cli/approve";
}

TEST(Golden, analyze) { expect_golden("analyze", Folder().seam({"analyze", benchmark})); }

TEST(Golden, analyze_of_a_first_order_hold_with_fresh_feedthrough) {
  expect_golden("analyze_foh_fresh",
                Folder().seam({"analyze", benchmark, "--coupling", "foh", "--feedthrough", "fresh"}));
}

TEST(Golden, compare) {
  const Folder folder;
  ASSERT_EQ(folder.seam({"run", benchmark}).exit_code, 0);
  ASSERT_EQ(folder.seam({"reference", benchmark}).exit_code, 0);
  expect_golden("compare", folder.seam({"compare", "benchmark.csv", "benchmark.reference.csv"}));
}

TEST(Golden, methods) { expect_golden("methods", Folder().seam({"methods"})); }

TEST(Golden, check) { expect_golden("check", Folder().seam({"check", benchmark})); }

TEST(Golden, resolved_file) { expect_golden("resolved", Folder().seam({"check", benchmark, "--print-resolved"})); }

TEST(GoldenText, numbers_may_differ_by_a_millionth_and_words_by_nothing) {
  EXPECT_EQ(difference("radius 1.0000000 s\n", "radius  1.0000005 s\n"), "");
  EXPECT_EQ(difference("0\n", "1e-17\n"), "");
  EXPECT_NE(difference("radius 1.000000\n", "radius 1.00001\n"), "");
  EXPECT_NE(difference("radius 1\n", "radios 1\n"), "");
  EXPECT_NE(difference("one\n", "one\ntwo\n"), "");
  EXPECT_NE(difference("x1 2\n", "x2 2\n"), "");
}

}  // namespace
}  // namespace seam::cli
