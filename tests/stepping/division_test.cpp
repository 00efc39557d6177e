#include "seam/stepping/division.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace seam::stepping {
namespace {

TEST(Division, equal_loads_are_dealt_out_evenly) {
  const Division division = divide(std::vector<Load>(8, Load{1.0}), 4);
  for (int thread = 0; thread < 4; ++thread)
    EXPECT_EQ(std::count(division.thread_of_load.begin(), division.thread_of_load.end(), thread), 2);
  EXPECT_DOUBLE_EQ(division.step, 2.0);
}

// 7 6 5 4 3 2 1 is 28: two threads can have 14 each.
TEST(Division, loads_of_all_sizes_are_balanced) {
  std::vector<Load> loads;
  for (const double cost : {1.0, 7.0, 3.0, 6.0, 4.0, 2.0, 5.0}) loads.push_back({cost});
  EXPECT_DOUBLE_EQ(divide(loads, 2).step, 14.0);
  EXPECT_DOUBLE_EQ(divide(loads, 1).step, 28.0);
}

TEST(Division, one_heavy_load_has_a_thread_of_its_own) {
  const Division division = divide({{1.0}, {10.0}, {1.0}, {1.0}}, 2);
  EXPECT_EQ(division.thread_of_load, (std::vector<int>{1, 0, 1, 1}));
  EXPECT_DOUBLE_EQ(division.step, 10.0);
}

TEST(Division, loads_of_a_group_stay_together) {
  const Division division = divide({{1.0, 1, 0}, {1.0}, {1.0, 1, 0}, {1.0}, {1.0, 1, 7}, {1.0, 1, 7}}, 3);
  EXPECT_EQ(division.thread_of_load[0], division.thread_of_load[2]);
  EXPECT_EQ(division.thread_of_load[4], division.thread_of_load[5]);
  EXPECT_DOUBLE_EQ(division.step, 2.0);
}

// Two fast lanes of 1 and two slow ones of 8 that step every fourth time: 2 in three steps and 18 in the fourth alone,
// 1 and 9 on two threads.
TEST(Division, lanes_that_step_together_are_on_different_threads) {
  const std::vector<Load> loads = {{1.0}, {1.0}, {8.0, 4}, {8.0, 4}};
  EXPECT_DOUBLE_EQ(divide(loads, 1).step, (3 * 2.0 + 18.0) / 4);
  const Division division = divide(loads, 2);
  EXPECT_NE(division.thread_of_load[0], division.thread_of_load[1]);
  EXPECT_NE(division.thread_of_load[2], division.thread_of_load[3]);
  EXPECT_DOUBLE_EQ(division.step, (3 * 1.0 + 9.0) / 4);
}

TEST(Division, no_gain_means_one_thread) {
  const std::vector<Load> loads(4, Load{1e-6});
  EXPECT_EQ(divide_best(loads, 4, 5e-6).threads, 1);
  EXPECT_EQ(divide_best({{100.0}, {1.0}}, 2, 0.0).threads, 1);
}

TEST(Division, as_many_threads_as_gain_and_no_more) {
  EXPECT_EQ(divide_best(std::vector<Load>(4, Load{1.0}), 8, 1e-3).threads, 4);
  EXPECT_EQ(divide_best({{10.0}, {5.0}, {5.0}}, 3, 1e-3).threads, 2);
  EXPECT_EQ(divide_best(std::vector<Load>(64, Load{2e-5}), 2, 1e-5).threads, 2);
}

TEST(Division, to_meet_costs_something) {
  EXPECT_GT(cost_of_meeting(2), 0.0);
  EXPECT_LT(cost_of_meeting(2), 1.0);
}

}  // namespace
}  // namespace seam::stepping
