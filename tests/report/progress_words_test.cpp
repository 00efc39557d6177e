#include "seam/report/run_report.hpp"

#include <gtest/gtest.h>

namespace seam::report {
namespace {

TEST(ProgressWords, say_time_rate_and_time_left) {
  EXPECT_EQ(progress_words("car", {0.0, 5.0, 10.0}, 2.5),
            "car [##########..........]  50 %  5 of 10 s, 2 times real time, 2.5 s left");
  EXPECT_EQ(progress_words("car", {100.0, 110.0, 140.0}, 40.0),
            "car [#####...............]  25 %  110 of 140 s, 0.25 times real time, 2 min 0 s left");
  EXPECT_EQ(progress_words("car", {0.0, 1.0, 11.0}, 1000.0),
            "car [#...................]   9 %  1 of 11 s, 0.001 times real time, 2 h 46 min left");
}

TEST(ProgressWords, promise_nothing_before_anything_is_known) {
  EXPECT_EQ(progress_words("car", {0.0, 0.0, 10.0}, 1.0), "car [....................]   0 %  0 of 10 s");
  EXPECT_EQ(progress_words("car", {0.0, 1e-12, 10.0}, 1e9).find("years left") == std::string::npos, false);
}

}  // namespace
}  // namespace seam::report
