#include "seam/load/system_values.hpp"

#include <gtest/gtest.h>

namespace seam::load {
namespace {

TEST(TimeFlag, is_a_number_of_seconds_or_a_number_with_a_unit_of_time) {
  const auto seconds = [](const std::string& text) {
    base::Problems problems;
    const auto read = read_time_flag("--step", text, problems);
    EXPECT_EQ(read.has_value(), problems.empty()) << text;
    return read ? read->seconds : -99.0;
  };
  EXPECT_EQ(seconds("1 ms"), 1e-3);
  EXPECT_EQ(seconds("0.5"), 0.5);
  EXPECT_EQ(seconds("20us"), 20e-6);
  EXPECT_EQ(seconds("1e-3 s"), 1e-3);
  EXPECT_EQ(seconds("1  ms"), 1e-3);
  EXPECT_EQ(seconds(" 2 s "), 2.0);
  EXPECT_EQ(seconds("-1 s"), -1.0);
  EXPECT_EQ(seconds("5 min"), 300.0);
  for (const char* const wrong : {"3 kg", "s", "", "1 .", "[1]", ".inf"}) EXPECT_EQ(seconds(wrong), -99.0) << wrong;
}

TEST(TimeFlag, a_problem_points_into_the_text) {
  base::Problems problems;
  EXPECT_FALSE(read_time_flag("--step", "  3 kg", problems));
  ASSERT_EQ(problems.size(), 1U);
  const base::Location& where = problems.all()[0].where;
  EXPECT_EQ(where.source->name, "--step");
  EXPECT_EQ(where.source->lines, std::vector<std::string>{"  3 kg"});
  EXPECT_EQ(where.column, 3);
  EXPECT_EQ(where.length, 4);
  EXPECT_NE(problems.all()[0].what.find("kg is not a time"), std::string::npos);
}

}  // namespace
}  // namespace seam::load
