#include "seam/load/time_flag.hpp"

#include <gtest/gtest.h>

namespace seam::load {
namespace {

TEST(TimeFlag, plain_times_are_what_yaml_makes_of_them) {
  for (const std::string text : {"1 ms", "0.5", "20us", "1e-3 s", "1  ms", " 2 s", "2 s ", "3 kg", "1 m s", "1.", "1 .",
                                 "-1 s", "5 min", "s", "\"1 ms\""}) {
    base::Problems fast_problems, slow_problems;
    const auto fast = read_time_flag("--step", text, fast_problems);
    const auto slow = read_time_flag("--step", text + " # read as YAML", slow_problems);
    ASSERT_EQ(fast.has_value(), slow.has_value()) << text;
    ASSERT_EQ(fast_problems.size(), slow_problems.size()) << text;
    const base::Location one = fast ? fast->where : fast_problems.all()[0].where;
    const base::Location other = slow ? slow->where : slow_problems.all()[0].where;
    EXPECT_EQ(one.source->name, "--step");
    EXPECT_EQ(one.source->lines, std::vector<std::string>{text});
    EXPECT_EQ(one.line, other.line) << text;
    EXPECT_EQ(one.column, other.column) << text;
    EXPECT_EQ(one.length, other.length) << text;
    if (fast) EXPECT_EQ(fast->seconds, slow->seconds) << text;
  }
}

}  // namespace
}  // namespace seam::load
