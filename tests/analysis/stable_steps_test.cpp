#include "seam/analysis/stable_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace seam::analysis {
namespace {

TEST(StableSteps, one_limit_is_found_to_eleven_digits) {
  const StableSteps found = stable_steps([](double h) { return 0.9 + h; }, {1e-4, 1.0});
  ASSERT_EQ(found.intervals.size(), 1u);
  EXPECT_NEAR(*found.first_loss(), 0.1, 2e-12);
  EXPECT_FALSE(found.throughout());
}

TEST(StableSteps, islands_of_both_kinds_are_found_though_no_point_of_the_scan_lies_in_them) {
  const double width = 0.002;  // the scan's points are 6 % apart
  for (double centre = 0.1; centre < 0.12; centre += 0.0007) {
    const auto bump = [&](double h) { return std::exp(-std::pow((h - centre) / (6.0 * width), 2)); };
    const StableSteps lost = stable_steps([&](double h) { return 0.95 + 0.052 * bump(h); }, {0.01, 1.0});
    ASSERT_EQ(lost.intervals.size(), 2u) << centre;
    EXPECT_LT(lost.intervals[0].to, centre);
    EXPECT_GT(lost.intervals[1].from, centre);
    const StableSteps won = stable_steps([&](double h) { return 1.05 - 0.052 * bump(h); }, {0.01, 1.0});
    ASSERT_EQ(won.intervals.size(), 1u) << centre;
    EXPECT_FALSE(won.first_loss());
    EXPECT_LT(won.intervals[0].to - won.intervals[0].from, 6.0 * width);
  }
}

TEST(StableSteps, multiples_of_a_unit_are_all_looked_at) {
  const auto radius = [](double h) { return h == 0.015 || h > 0.0249 ? 1.5 : 0.5; };
  const StableSteps found = stable_steps(radius, {0.005, 0.05, 0.005});
  ASSERT_EQ(found.intervals.size(), 2u);
  EXPECT_EQ(found.intervals[0].to, 0.01);
  EXPECT_EQ(found.intervals[1].from, 0.02);
  EXPECT_EQ(found.intervals[1].to, 0.02);
  EXPECT_EQ(*found.first_loss(), 0.01);
}

TEST(StableSteps, stable_or_unstable_throughout) {
  EXPECT_TRUE(stable_steps([](double) { return 0.5; }, {1e-3, 1.0}).throughout());
  EXPECT_TRUE(stable_steps([](double) { return 1.0; }, {1e-3, 1.0}).intervals.empty());
  EXPECT_TRUE(stable_steps([](double) { return std::optional<double>(); }, {1e-3, 1.0}).intervals.empty());
}

}  // namespace
}  // namespace seam::analysis
