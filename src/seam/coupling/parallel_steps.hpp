// The lanes of every slot shared out among threads: each thread makes the steps of its own, the rest stays serial.
#pragma once

#include <chrono>
#include <exception>
#include <optional>
#include <vector>

#include "seam/assembly/thread_team.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/coupling/executor.hpp"
#include "seam/coupling/thread_mode.hpp"
#include "seam/system/plan.hpp"

namespace seam::coupling {

/// Why so many lanes under this plan must be stepped one after the other; null if they need not.
const char* why_serial(const system::Plan& plan, int lanes);

/// What a macro step does: `before` serially, then every thread its share, then `after` serially.
struct SharedSlot {
  std::vector<Operation> before, after;
  std::vector<std::vector<Operation>> shares;  ///< one a thread
};

/// Steps a program with a team, whose threads step together as long as that is faster than one after the other. Same
/// results as `advance` to the bit for any division: nothing is exchanged before all have arrived.
class ParallelSteps {
 public:
  /// `thread_of_lane` has a thread of the team for every lane. Needs a plan that why_serial has nothing against.
  ParallelSteps(const Program& program, assembly::ThreadTeam& team, std::vector<int> thread_of_lane);

  int threads() const { return team_.size(); }

  /// What a macro step takes on one thread, s, with its part of starting again: where that is known, the first steps
  /// are compared with it.
  void compare_with(double one_thread_step) { one_thread_step_ = one_thread_step; }
  /// They took longer, and little is lost so far: FMUs stay on their threads, so it is better to start again on one.
  bool gives_up() const { return gives_up_; }

  /// Like coupling::advance: no allocation, no lock. Of several lanes that fail in the same step the first counts.
  Advance advance(Memory& memory, base::Tick count);

 private:
  /// How far one thread came. Its own cache line: all threads write theirs at the same time.
  struct alignas(64) Progress {
    StepFailure failure;        ///< not accepted
    int ended = -1;             ///< the last lane that wants to end the run
    int lane = -1;              ///< at work
    std::exception_ptr thrown;  ///< by that lane
  };
  SharedSlot share_out(std::size_t slot) const;
  StepFailure cross(const SharedSlot& slot, const Now& now, Memory& memory);
  StepFailure first_trouble();
  void make_steps(int thread);
  void end_block();
  Execution execution_of(const Now& now, Memory& memory) const {
    return {program_, now, memory, program_.growth_limit};
  }

  const Program& program_;
  assembly::ThreadTeam& team_;
  std::vector<int> thread_of_lane_;
  std::vector<SharedSlot> slots_;
  std::vector<Progress> progress_;  ///< one a thread
  using Clock = std::chrono::steady_clock;
  ThreadMode mode_;
  base::Tick in_block_ = 0, steps_ = 0;
  double passed_ = 0.0;  ///< s, in these steps
  double one_thread_step_ = 0.0;
  bool gives_up_ = false;
  Clock::time_point block_begin_ = Clock::now();
  // of the step that is being made
  const SharedSlot* slot_ = nullptr;
  const Now* now_ = nullptr;
  Memory* memory_ = nullptr;
};

}  // namespace seam::coupling
