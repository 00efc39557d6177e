// Work divided among threads, so that all are done at the same time.
#pragma once

#include <vector>

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

}  // namespace seam::stepping
