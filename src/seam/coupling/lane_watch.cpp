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
  for (const DirectLane& direct : program.direct) direct_.push_back(direct.lane);
  double looks = 0.0;
  for (std::size_t slot = 0; slot < program.slots.size(); ++slot) {
    for (const Operation& operation : program.operations_in(slot)) {
      const bool lanes = operation.action == Action::step || operation.action == Action::step_directly;
      looks += lanes ? operation.count : 1;
    }
  }
  looks_a_step_ = looks / static_cast<double>(program.slots.size());
}

void LaneWatch::operation(const Operation& operation) {
  switch (operation.action) {
    case Action::step_in_segments:
    case Action::evaluate:
    case Action::give:
    case Action::take:
      return lane(operation.first);
    default:
      rest_ += lap();
  }
}

double LaneWatch::all() const { return std::accumulate(lanes_.begin(), lanes_.end(), rest_); }

double LaneWatch::lap() {
  const Clock::time_point now = Clock::now();
  const double passed = std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  return std::max(0.0, passed - look_);
}

}  // namespace seam::coupling
