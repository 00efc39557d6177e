#include "seam/base/in_parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace seam::base {
namespace {

TEST(InParallel, does_everything_once) {
  std::vector<std::atomic<int>> times(1000);
  in_parallel(times.size(), [&](std::size_t i) { ++times[i]; });
  for (const auto& count : times) EXPECT_EQ(count, 1);
  in_parallel(0, [](std::size_t) { FAIL(); });
}

TEST(InParallel, inside_itself_does_everything_once_too) {
  std::atomic<int> sum = 0;
  in_parallel(10, [&](std::size_t) { in_parallel(10, [&](std::size_t i) { sum += static_cast<int>(i); }); });
  EXPECT_EQ(sum, 450);
}

TEST(InParallel, throws_what_the_smallest_number_threw_when_all_others_are_done) {
  std::atomic<int> done = 0;
  try {
    in_parallel(100, [&](std::size_t i) {
      if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
      ++done;
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "7");
  }
  EXPECT_EQ(done, 90);
}

}  // namespace
}  // namespace seam::base
