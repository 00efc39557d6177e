#include "seam/coupling/lane_watch.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace seam::coupling {
namespace {

/// The smallest of many differences between two looks, s: the others were disturbed.
template <class Clock>
double cost_of_a_look() {
  double smallest = 1.0;
  for (int i = 0; i < 100; ++i) {
    const auto before = Clock::now();
    smallest = std::min(smallest, std::chrono::duration<double>(Clock::now() - before).count());
  }
  return smallest;
}

}  // namespace

LaneWatch::LaneWatch(const Program& program) : lanes_(program.lanes.size()) {
  static const double look = cost_of_a_look<Clock>();  // it does not change while the process lives
  look_ = look;
  double looks = 0.0;
  for (std::size_t slot = 0; slot < program.slots.size(); ++slot) {
    looks += static_cast<double>(program.operations_in(slot).size());
  }
  looks_a_step_ = looks / static_cast<double>(program.slots.size()) + static_cast<double>(program.calls.size());
}

void LaneWatch::all_lanes(const std::vector<double>& shares) {
  const double passed = lap();
  for (std::size_t l = 0; l < lanes_.size(); ++l) lanes_[l] += shares[l] * passed;
}

double LaneWatch::all() const { return std::accumulate(lanes_.begin(), lanes_.end(), rest_); }

double LaneWatch::lap() {
  const Clock::time_point now = Clock::now();
  const double passed = std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  return std::max(0.0, passed - look_);
}

}  // namespace seam::coupling
