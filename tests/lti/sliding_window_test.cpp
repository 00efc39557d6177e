#include "seam/lti/sliding_window.hpp"

#include <gtest/gtest.h>

#include <array>

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

TEST(SlidingWindow, is_its_memory) {
  SlidingWindow window(2, 1, 3), copy(2, 1, 3);
  for (int i = 1; i <= 5; ++i) add(window, i);
  std::copy(window.memory().begin(), window.memory().end(), copy.memory().begin());
  add(window, 6);
  add(copy, 6);
  ASSERT_EQ(copy.count(), 3);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(copy.samples().outputs[i], window.samples().outputs[i]);
}

TEST(SlidingWindow, refuses_samples_of_another_size) {
  SlidingWindow window(2, 1, 3);
  const std::array<double, 1> one{};
  EXPECT_THROW(window.add(one, one), base::Error);
  EXPECT_THROW(SlidingWindow(1, 1, 0), base::Error);
}

}  // namespace
}  // namespace seam::lti
