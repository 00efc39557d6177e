#include "seam/stepping/growth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace seam::stepping {
namespace {

/// What is found in 1000 rows of one output over 10 s.
std::optional<Growth> found_in(const std::function<double(double)>& value, double end = 10.0) {
  Column column;
  column.name = "a.y";
  column.member = 0;
  GrowthWatch watch({column}, 0.0, 10.0);
  Row row({column});
  for (int i = 0; i <= 1000; ++i) {
    const double t = 0.01 * i;
    if (t > end) break;
    row.numbers[0] = value(t);
    watch.sample(t, row);
  }
  return watch.found();
}

TEST(Growth, an_oscillation_that_grows_a_thousandfold_is_found_with_its_numbers) {
  const auto found = found_in([](double t) { return 0.01 * std::exp(t) * std::sin(20.0 * t); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "a.y");
  EXPECT_NEAR(found->from, 0.01 * std::exp(1.25), 0.005);
  EXPECT_NEAR(found->to, 0.01 * std::exp(10.0), 20.0);
}

TEST(Growth, growth_that_hides_below_a_decaying_motion_at_first_is_found) {
  EXPECT_TRUE(found_in([](double t) { return 1e-3 * std::exp(-t) + 1e-6 * std::exp(2.0 * t); }));
}

TEST(Growth, what_only_begins_late_or_grows_by_a_power_of_time_is_not) {
  EXPECT_FALSE(found_in([](double t) { return t > 6.0 ? 1.0 : 0.0; }));
  EXPECT_FALSE(found_in([](double t) { return t > 6.0 ? 1.0 - std::exp(6.0 - t) : 1e-9; }));
  for (const double power : {1.0, 2.0, 3.0, 4.0})
    EXPECT_FALSE(found_in([power](double t) { return std::pow(t, power); })) << power;
  EXPECT_FALSE(found_in([](double t) { return 1e-3 * std::exp(0.5 * t); }));  // 150-fold
  EXPECT_FALSE(found_in([](double t) { return 1e6 * std::sin(t); }));
  EXPECT_FALSE(found_in([](double) { return 0.0; }));
}

TEST(Growth, a_run_that_does_not_come_to_its_end_says_nothing) {
  EXPECT_FALSE(found_in([](double t) { return std::exp(3.0 * t); }, 8.0));
}

}  // namespace
}  // namespace seam::stepping
