#include "seam/coupling/parallel_steps.hpp"

#include <algorithm>
#include <utility>

namespace seam::coupling {
namespace {

using base::Outcome;
using base::Tick;

}  // namespace

const char* why_serial(const system::Plan& plan, int lanes) {
  if (lanes < 2) return "there is only one subsystem that steps";
  if (plan.events == system::Events::shared) return "events are shared, and all stop where one has an event";
  const bool in_turn = plan.schedule == system::Schedule::Kind::gauss_seidel;
  return in_turn ? "under gauss-seidel a subsystem waits for those before it" : nullptr;
}

ParallelSteps::ParallelSteps(const Program& program, assembly::ThreadTeam& team, std::vector<int> thread_of_lane)
    : program_(program),
      team_(team),
      thread_of_lane_(std::move(thread_of_lane)),
      progress_(static_cast<std::size_t>(team.size())) {
  for (std::size_t slot = 0; slot < program.slots.size(); ++slot) slots_.push_back(share_out(slot));
}

/// What precedes an operation over all lanes is done before the threads begin, too.
SharedSlot ParallelSteps::share_out(std::size_t slot) const {
  SharedSlot result;
  result.shares.resize(static_cast<std::size_t>(team_.size()));
  const std::span<const Operation> operations = program_.operations_in(slot);
  std::size_t first_of_lanes = 0;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (row_of(operations[i]).phase == Phase::before_steps) first_of_lanes = i + 1;
  }
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (i < first_of_lanes) {
      result.before.push_back(operations[i]);
    } else if (row_of(operations[i]).phase == Phase::point) {
      result.after.push_back(operations[i]);
    } else {
      for (const Operation& single : split_by_lane(program_, operations[i])) {
        const int thread = thread_of_lane_[static_cast<std::size_t>(single.lane)];
        result.shares[static_cast<std::size_t>(thread)].push_back(single);
      }
    }
  }
  return result;
}

/// On any thread: the steps of its lanes, until one is not accepted.
void ParallelSteps::make_steps(int thread) {
  Progress& mine = progress_[static_cast<std::size_t>(thread)];
  mine.failure = {};
  mine.ended = -1;
  Execution execution = execution_of(*now_, *memory_);
  execution.by_rows = false;
  try {
    for (const Operation& operation : slot_->shares[static_cast<std::size_t>(thread)]) {
      mine.lane = operation.lane;
      const Outcome outcome = row_of(operation).perform(execution, operation).outcome;
      if (outcome == Outcome::ended) mine.ended = mine.lane;
      if (outcome == Outcome::accepted || outcome == Outcome::ended) continue;
      mine.failure = {outcome, mine.lane};
      return;
    }
  } catch (...) {
    mine.thrown = std::current_exception();
    mine.failure = {Outcome::rejected, mine.lane};
  }
}

/// As if the lanes had been stepped one after the other: the first that fails counts, and a wish to end only if none
/// does.
StepFailure ParallelSteps::first_trouble() {
  Progress* worst = nullptr;
  int ended = -1;
  for (Progress& one : progress_) {
    ended = std::max(ended, one.ended);
    if (one.failure.outcome != Outcome::accepted && (!worst || one.failure.lane < worst->failure.lane)) worst = &one;
  }
  if (!worst) return ended < 0 ? StepFailure{} : StepFailure{Outcome::ended, ended};
  const std::exception_ptr thrown = worst->thrown;
  for (Progress& one : progress_) one.thrown = nullptr;
  if (thrown) std::rethrow_exception(thrown);
  return worst->failure;
}

StepFailure ParallelSteps::cross(const SharedSlot& slot, const Now& now, Memory& memory) {
  const Execution execution = execution_of(now, memory);
  execute(execution, slot.before);
  slot_ = &slot;
  now_ = &now;
  memory_ = &memory;
  if (mode_.mode() == ThreadMode::together) {
    team_.together({[](void* self, int thread) { static_cast<ParallelSteps*>(self)->make_steps(thread); }, this});
  } else {  // each where its FMUs live
    for (int thread = 0; thread < team_.size(); ++thread) team_.on(thread, [&] { make_steps(thread); });
  }
  const StepFailure failure = first_trouble();
  if (failure.outcome != Outcome::accepted && failure.outcome != Outcome::ended) return failure;
  const StepFailure at_point = execute_slot(execution, slot.after);
  return at_point.outcome == Outcome::accepted ? failure : at_point;
}

void ParallelSteps::end_block() {
  const Clock::time_point now = Clock::now();
  const double block = std::chrono::duration<double>(now - block_begin_).count();
  mode_.add(block);
  passed_ += block;
  steps_ += std::exchange(in_block_, 0);
  block_begin_ = now;
  // Some milliseconds are enough to know, and a few percent of the run are not too many to lose.
  constexpr double enough = 5e-3, few = 0.04;
  const bool is_slower = passed_ > 1.05 * one_thread_step_ * static_cast<double>(steps_);
  gives_up_ = one_thread_step_ > 0.0 && is_slower && passed_ > enough &&
              passed_ < few * one_thread_step_ * static_cast<double>(program_.ticks);
}

/// A program that is one affine map is so on any number of threads: the same rows are summed in the same order.
Advance ParallelSteps::advance(Memory& memory, Tick count) {
  if (program_.map) return coupling::advance(program_, memory, count);
  const Tick first = memory.tick;
  Now now{{0.0, program_.grid.step, assembly::Sources::live}, 1.0, {first, program_.grid.time(first)}};
  for (Tick n = 0; n < count; ++n) {
    now.step.begin = now.at_end.time;
    now.at_end = {first + n + 1, program_.grid.time(first + n + 1)};
    if (const StepFailure failure = cross(slots_[program_.slot_of(first + n)], now, memory);
        failure.outcome != Outcome::accepted)
      return stopped(program_, memory, failure, n);
    ++memory.tick;
    if (++in_block_ >= mode_.block()) end_block();
  }
  return {Outcome::accepted, count, -1, -1};
}

}  // namespace seam::coupling
