#include "seam/base/grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace seam::base {
namespace {

void expect_division(double total, double part, Tick whole, bool exact) {
  const Division division = divide(total, part);
  EXPECT_EQ(division.whole, whole) << total << " / " << part;
  EXPECT_EQ(division.exact, exact) << total << " / " << part;
}

TEST(CommonMultiple, is_the_smallest_length_that_both_fit_into) {
  EXPECT_DOUBLE_EQ(common_multiple(0.1, 0.1).value(), 0.1);
  EXPECT_DOUBLE_EQ(common_multiple(0.1, 0.02).value(), 0.1);
  EXPECT_DOUBLE_EQ(common_multiple(0.02, 0.03).value(), 0.06);
  EXPECT_FALSE(common_multiple(1.0, std::sqrt(2.0)).has_value());
}

TEST(Grid, time_is_start_plus_whole_steps) {
  const Grid grid{1.0, 0.25};
  EXPECT_EQ(grid.time(0), 1.0);
  EXPECT_EQ(grid.time(-2), 0.5);
  EXPECT_EQ(grid.time(4000000000), 1000000001.0);
}

TEST(Grid, decimal_quotients_are_whole_although_their_doubles_are_not) {
  expect_division(0.3, 0.1, 3, true);  // 0.3/0.1 is 2.9999999999999996
  expect_division(0.7, 0.1, 7, true);
  expect_division(1.1, 0.1, 11, true);
  expect_division(1000.0, 1e-3, 1000000, true);
  expect_division(3600.0, 1e-6, 3600000000, true);
}

TEST(Grid, a_remainder_is_not_rounded_away) {
  expect_division(0.35, 0.1, 3, false);
  expect_division(0.05, 0.1, 0, false);
  expect_division(1000.0005, 1e-3, 1000000, false);
  expect_division(1.0 - 1e-7, 0.1, 9, false);
}

TEST(Grid, nothing_divides_into_no_parts) { expect_division(0.0, 0.1, 0, true); }

TEST(Grid, what_cannot_be_divided_is_never_exact) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const auto& [total, part] : {std::pair{-1.0, 0.1}, std::pair{1.0, 0.0}, std::pair{nan, 0.1}, std::pair{1.0, nan},
                                    std::pair{inf, 0.1}, std::pair{inf, inf}, std::pair{1e300, 1e-9}}) {
    EXPECT_FALSE(divide(total, part).exact) << total << " / " << part;
  }
}

}  // namespace
}  // namespace seam::base
