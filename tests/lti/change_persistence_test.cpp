#include "seam/lti/change_persistence.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "seam/base/error.hpp"

namespace seam::lti {
namespace {

bool after(const std::vector<std::array<double, 2>>& inputs) {
  ChangePersistence persistence(2);
  for (const auto& u : inputs) persistence.observe(u);
  return persistence.persists();
}

TEST(ChangePersistence, is_taken_for_granted_until_there_are_two_changes) {
  EXPECT_TRUE(after({}));
  EXPECT_TRUE(after({{1.0, 1.0}}));
  EXPECT_TRUE(after({{1.0, 1.0}, {2.0, -5.0}}));
}

TEST(ChangePersistence, holds_for_smooth_inputs_and_constant_ones) {
  EXPECT_TRUE(after({{1.0, 3.0}, {2.0, 3.0}, {2.9, 3.0}}));
  std::vector<std::array<double, 2>> growing;
  for (int i = 0; i < 20; ++i) growing.push_back({std::exp(0.3 * i), -std::exp(-0.3 * i)});
  EXPECT_TRUE(after(growing));
}

TEST(ChangePersistence, ends_where_any_input_turns_or_stops_or_begins) {
  EXPECT_FALSE(after({{1.0, 1.0}, {2.0, 2.0}, {3.0, 1.5}}));
  EXPECT_FALSE(after({{1.0, 1.0}, {2.0, 2.0}, {3.0, 2.1}}));
  EXPECT_FALSE(after({{1.0, 1.0}, {2.0, 1.0}, {3.0, 2.0}}));
}

TEST(ChangePersistence, comes_back_and_restarts) {
  ChangePersistence persistence(1);
  for (const double u : {0.0, 1.0, 0.0}) persistence.observe(std::array<double, 1>{u});
  EXPECT_FALSE(persistence.persists());
  persistence.observe(std::array<double, 1>{-1.0});
  EXPECT_TRUE(persistence.persists());
  persistence.observe(std::array<double, 1>{0.0});
  EXPECT_FALSE(persistence.persists());
  persistence.restart();
  EXPECT_TRUE(persistence.persists());
  EXPECT_THROW(persistence.observe(std::array<double, 2>{}), base::Error);
}

}  // namespace
}  // namespace seam::lti
