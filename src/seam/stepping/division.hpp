// What the steps of each lane cost, and how they are divided among threads, so that all are done at the same time.
#pragma once

#include <chrono>
#include <vector>

#include "seam/coupling/lane_watch.hpp"

namespace seam::stepping {

/// One lane as a load.
struct Load {
  double cost = 0.0;  ///< s, one step of it
  int multiple = 1;   ///< it steps once in so many macro steps
  int group = -1;     ///< loads of one group stay on one thread; -1: of none
};

struct Division {
  int threads = 1;
  std::vector<int> thread_of_load;
  double step = 0.0;  ///< s, what a macro step costs in the mean: the busiest thread of each
};

/// The heaviest first, each to the thread that has least to do when it steps. Thread 0 gets the first.
Division divide(const std::vector<Load>& loads, int threads);

/// The fewest threads, at most so many, whose step is about as short as any. `meeting` is what it costs that all
/// threads meet once, s.
Division divide_best(const std::vector<Load>& loads, int most, double meeting);

/// Measured: what it costs that so many threads are sent to work and have come back, s.
double cost_of_meeting(int threads);

/// In seconds.
struct Costs {
  std::vector<double> lanes;  ///< one step of the lane, which may be several macro steps long
  double rest = 0.0;          ///< a macro step, of what is no lane's
};

/// Collects watched steps, one after the other without a gap.
class CostSamples {
 public:
  explicit CostSamples(const coupling::Program& program);

  /// Another step has been watched.
  void add(const coupling::LaneWatch& watch);
  /// Every lane has made several steps, and the clock has had time to be right. Few do where a step takes long.
  bool are_enough() const;
  /// Medians: steps that other processes interrupted do not count.
  Costs costs() const;

 private:
  using Clock = std::chrono::steady_clock;
  const coupling::Program& program_;
  std::vector<std::vector<double>> lanes_;  ///< s, one a step of the lane
  std::vector<double> rest_;                ///< s, one a macro step
  std::vector<double> before_;              ///< what the watch had counted for each lane
  double rest_before_ = 0.0;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace seam::stepping
