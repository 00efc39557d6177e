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
  static constexpr bool watches = true;
  explicit LaneWatch(const Program& program);

  void begin() { last_ = Clock::now(); }
  void end() { ++steps_; }
  /// What passed since the last look belongs to a lane, a lane by its number among the direct ones, an operation.
  void lane(int lane) { lanes_[static_cast<std::size_t>(lane)] += lap(); }
  void direct(std::ptrdiff_t number) { lane(direct_[static_cast<std::size_t>(number)]); }
  void operation(const Operation& operation);

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
  std::vector<int> direct_;  ///< lane of each direct lane
  double rest_ = 0.0;
  double look_ = 0.0;  ///< what one look at the clock costs, s
  double looks_a_step_ = 0.0;
  base::Tick steps_ = 0;
  Clock::time_point last_;
};

/// The same for steps that nobody watches: nothing.
struct Unwatched {
  static constexpr bool watches = false;
  void lane(int) {}
  void direct(std::ptrdiff_t) {}
  void operation(const Operation&) {}
};

}  // namespace seam::coupling
