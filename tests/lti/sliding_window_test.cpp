#include "seam/lti/sliding_window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "seam/base/error.hpp"

namespace seam::lti {
namespace {

void add(SlidingWindow& window, int i) {
  const std::array<double, 2> u{1.0 * i, 10.0 * i};
  const std::array<double, 1> y{100.0 * i};
  window.add(u, y);
}

TEST(SlidingWindow, gives_the_newest_samples_in_order_and_in_one_piece_whatever_went_before) {
  for (int total = 0; total <= 17; ++total) {
    SlidingWindow window(2, 1, 5);
    for (int i = 1; i <= total; ++i) add(window, i);
    EXPECT_EQ(window.count(), std::min(total, 5));
    for (int wanted = 0; wanted <= 7; ++wanted) {
      const Samples newest = window.newest(wanted);
      const int given = std::min(wanted, window.count());
      ASSERT_EQ(newest.inputs.size(), 2u * static_cast<unsigned>(given));
      ASSERT_EQ(newest.outputs.size(), static_cast<unsigned>(given));
      for (int j = 0; j < given; ++j) {
        const int i = total - given + 1 + j;
        EXPECT_EQ(newest.inputs[2 * static_cast<unsigned>(j)], i);
        EXPECT_EQ(newest.inputs[2 * static_cast<unsigned>(j) + 1], 10 * i);
        EXPECT_EQ(newest.outputs[static_cast<unsigned>(j)], 100 * i);
      }
    }
  }
}

TEST(SlidingWindow, forgets_all_when_cleared) {
  SlidingWindow window(2, 1, 3);
  add(window, 1);
  window.clear();
  EXPECT_EQ(window.count(), 0);
  add(window, 7);
  EXPECT_EQ(window.samples().outputs[0], 700.0);
}

TEST(SlidingWindow, goes_on_from_its_memory) {
  for (int total = 0; total <= 9; ++total) {
    SlidingWindow window(2, 1, 4), copy(2, 1, 4);
    for (int i = 1; i <= total; ++i) add(window, i);
    std::vector<double> memory(window.memory_size(), 1e300);
    window.save(memory);
    add(copy, 77);
    ASSERT_TRUE(copy.load(memory));
    for (int i = total + 1; i <= total + 3; ++i) {
      const Samples here = window.samples(), there = copy.samples();
      EXPECT_TRUE(std::equal(here.inputs.begin(), here.inputs.end(), there.inputs.begin(), there.inputs.end()));
      EXPECT_TRUE(std::equal(here.outputs.begin(), here.outputs.end(), there.outputs.begin(), there.outputs.end()));
      add(window, i);
      add(copy, i);
    }
  }
}

TEST(SlidingWindow, refuses_more_samples_than_it_holds) {
  SlidingWindow window(2, 1, 3);
  std::vector<double> memory(window.memory_size());
  for (const double count : {-1.0, 4.0, std::numeric_limits<double>::quiet_NaN()}) {
    add(window, 1);
    memory[0] = count;
    EXPECT_FALSE(window.load(memory)) << count;
    EXPECT_EQ(window.count(), 0);
  }
}

TEST(SlidingWindow, refuses_samples_of_another_size) {
  SlidingWindow window(2, 1, 3);
  const std::array<double, 1> one{};
  EXPECT_THROW(window.add(one, one), base::Error);
  EXPECT_THROW(SlidingWindow(1, 1, 0), base::Error);
}

}  // namespace
}  // namespace seam::lti
