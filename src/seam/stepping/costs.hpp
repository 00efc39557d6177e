// What the steps of each lane cost, from the first steps of a run.
#pragma once

#include <chrono>
#include <vector>

#include "seam/coupling/lane_watch.hpp"

namespace seam::stepping {

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
