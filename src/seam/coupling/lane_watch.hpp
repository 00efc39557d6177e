// Where the time of a macro step goes: lane by lane, for the few steps that are watched.
#pragma once

#include <chrono>
#include <vector>

#include "seam/coupling/program.hpp"

namespace seam::coupling {

/// Looks at the clock after every lane and every other operation; what a look itself costs is taken off. What settles
/// events belongs to the rest, since it concerns all.
class LaneWatch {
 public:
  explicit LaneWatch(const Program& program);

  void begin() { last_ = Clock::now(); }
  void end() { ++steps_; }
  /// What passed since the last look belongs to a lane, an operation, or all lanes by their shares.
  void lane(int lane) { lanes_[static_cast<std::size_t>(lane)] += lap(); }
  void operation(const Operation& operation) { operation.lane >= 0 ? lane(operation.lane) : void(rest_ += lap()); }
  void all_lanes(const std::vector<double>& shares);

  base::Tick steps() const { return steps_; }
  const std::vector<double>& lanes() const { return lanes_; }  ///< s, over all watched steps
  double rest() const { return rest_; }
  double all() const;
  /// What watching costs a step, s.
  double cost() const { return looks_a_step_ * look_; }

 private:
  using Clock = std::chrono::steady_clock;
  double lap();

  std::vector<double> lanes_;
  double rest_ = 0.0;
  double look_ = 0.0;  ///< what one look at the clock costs, s
  double looks_a_step_ = 0.0;
  base::Tick steps_ = 0;
  Clock::time_point last_;
};

}  // namespace seam::coupling
