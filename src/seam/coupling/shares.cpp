#include "seam/coupling/shares.hpp"

#include <algorithm>
#include <utility>

namespace seam::coupling {
namespace {

using base::Outcome;
using base::Tick;

enum class Part { before, lane, after };

/// Who does an operation of a slot; lanes that step are asked one by one.
Part part_of(Action action, bool changes_received) {
  switch (action) {
    case Action::receive:
      return changes_received ? Part::before : Part::lane;  // by events of the experiment, or by a corrector
    case Action::tune:
    case Action::offset:
    case Action::intervene_in_step:
      return Part::before;
    case Action::give:
    case Action::step:
    case Action::step_directly:
    case Action::step_in_segments:
    case Action::take:
      return Part::lane;
    case Action::note:
    case Action::correct:
    case Action::make_room:
    case Action::copy:
    case Action::scale:
    case Action::evaluate:
    case Action::pass:
    case Action::intervene_at_point:
    case Action::settle:
    case Action::measure:
      break;
  }
  return Part::after;
}

/// The lane of one of the steps or direct steps of an operation, or of the whole of it.
int lane_of(const Program& program, const Operation& operation, int number) {
  const auto at = static_cast<std::size_t>(operation.first + number);
  switch (operation.action) {
    case Action::step:
      return program.calls[at].lane;
    case Action::step_directly:
      return program.direct[at].lane;
    case Action::receive:
      return program.receivers[at].lane;
    default:
      return operation.first;
  }
}

/// Steps in a row become one operation.
void append(const Program& program, const Operation& operation, std::vector<Operation>& share) {
  const bool steps = operation.action == Action::step || operation.action == Action::step_directly;
  if (steps && !share.empty()) {
    Operation& last = share.back();
    const bool follows = last.action == operation.action && last.multiple == operation.multiple &&
                         last.first + last.count == operation.first;
    const auto row = [&](const Operation& one) { return program.rows[static_cast<std::size_t>(one.first)]; };
    if (follows && (operation.action == Action::step_directly || row(last) == row(operation))) {
      last.count += operation.count;
      return;
    }
  }
  share.push_back(operation);
}

}  // namespace

const char* why_serial(const system::Plan& plan, int lanes) {
  if (lanes < 2) return "there is only one subsystem that steps";
  if (plan.events == system::Events::shared) return "events are shared, and all stop where one has an event";
  const bool in_turn = plan.schedule == system::Schedule::Kind::gauss_seidel;
  return in_turn ? "under gauss-seidel a subsystem waits for those before it" : nullptr;
}

Shares::Shares(const Program& program, assembly::Crew& crew, std::vector<int> thread_of_lane)
    : program_(program),
      crew_(crew),
      thread_of_lane_(std::move(thread_of_lane)),
      progress_(static_cast<std::size_t>(crew.size())) {
  for (std::size_t slot = 0; slot < program.slots.size(); ++slot) slots_.push_back(share_out(slot));
}

SharedSlot Shares::share_out(std::size_t slot) const {
  SharedSlot result;
  result.shares.resize(static_cast<std::size_t>(crew_.size()));
  const bool changes_received = !program_.interventions.empty() || program_.correction;
  for (const Operation& operation : program_.operations_in(slot)) {
    const Part part = part_of(operation.action, changes_received);
    if (part != Part::lane) {
      (part == Part::before ? result.before : result.after).push_back(operation);
      continue;
    }
    const bool many = operation.action == Action::step || operation.action == Action::step_directly;
    for (int i = 0; i < (many ? operation.count : 1); ++i) {
      const auto lane = static_cast<std::size_t>(lane_of(program_, operation, i));
      Operation own = operation;
      if (many) own = {operation.action, operation.first + i, 1, operation.multiple};
      append(program_, own, result.shares[static_cast<std::size_t>(thread_of_lane_[lane])]);
    }
  }
  return result;
}

/// On any thread: the steps of its lanes, until one is not accepted.
void Shares::make_steps(int thread) {
  Progress& mine = progress_[static_cast<std::size_t>(thread)];
  mine.stuck = {};
  mine.ended = -1;
  double* const values = memory_->values.data();
  const auto note = [&mine](Outcome outcome) {
    if (outcome == Outcome::ended) mine.ended = mine.lane;
    if (outcome != Outcome::accepted && outcome != Outcome::ended) mine.stuck = {outcome, mine.lane};
    return mine.stuck.outcome == Outcome::accepted;
  };
  try {
    for (const Operation& operation : slot_->shares[static_cast<std::size_t>(thread)]) {
      const auto first = static_cast<std::size_t>(operation.first);
      if (operation.action == Action::step_directly) {
        for (int i = 0; i < operation.count; ++i) {
          const DirectLane& lane = program_.direct[first + static_cast<std::size_t>(i)];
          lane.step.call(*lane.step.numbers, values + lane.coefficients, values + lane.values);
        }
      } else if (operation.action == Action::step) {
        const Now own = operation.multiple == 1 ? *now_ : stretched(program_, operation.multiple, *now_);
        for (int i = 0; i < operation.count; ++i) {
          const assembly::StepCall& call = program_.calls[first + static_cast<std::size_t>(i)];
          mine.lane = call.lane;
          if (!note(call.call(call.who, own.step, call.input(values), call.output(values)))) return;
        }
      } else {
        mine.lane = lane_of(program_, operation, 0);
        if (!note(perform(program_, operation, *now_, *memory_))) return;
      }
    }
  } catch (...) {
    mine.thrown = std::current_exception();
    mine.stuck = {Outcome::rejected, mine.lane};
  }
}

/// As if the lanes had been stepped one after the other: the first that fails counts, and a wish to end only if none
/// does.
Stuck Shares::first_trouble() {
  Progress* worst = nullptr;
  int ended = -1;
  for (Progress& one : progress_) {
    ended = std::max(ended, one.ended);
    if (one.stuck.outcome != Outcome::accepted && (!worst || one.stuck.lane < worst->stuck.lane)) worst = &one;
  }
  if (!worst) return ended < 0 ? Stuck{} : Stuck{Outcome::ended, ended};
  const std::exception_ptr thrown = worst->thrown;
  for (Progress& one : progress_) one.thrown = nullptr;
  if (thrown) std::rethrow_exception(thrown);
  return worst->stuck;
}

Stuck Shares::point(const SharedSlot& slot, const Now& now, Memory& memory) const {
  Stuck last_wish;
  for (const Operation& operation : slot.after) {
    const Stuck stuck =
        operation.action == Action::settle ? settle_events(program_, now, memory)
        : operation.action == Action::copy
            ? Stuck{copy(program_, operation, memory.values.data()) ? Outcome::accepted : Outcome::diverged, -1}
            : Stuck{perform(program_, operation, now, memory), operation.first};
    if (stuck.outcome == Outcome::accepted) continue;
    if (stuck.outcome != Outcome::ended) return stuck;
    last_wish = stuck;
  }
  return unheard_are_sound(program_, memory.values.data()) ? last_wish : Stuck{Outcome::diverged};
}

Stuck Shares::cross(const SharedSlot& slot, const Now& now, Memory& memory) {
  for (const Operation& operation : slot.before) perform(program_, operation, now, memory);
  slot_ = &slot;
  now_ = &now;
  memory_ = &memory;
  crew_.together({[](void* self, int thread) { static_cast<Shares*>(self)->make_steps(thread); }, this});
  const Stuck stuck = first_trouble();
  if (stuck.outcome != Outcome::accepted && stuck.outcome != Outcome::ended) return stuck;
  const Stuck at_point = point(slot, now, memory);
  return at_point.outcome == Outcome::accepted ? stuck : at_point;
}

Advance Shares::advance(Memory& memory, Tick count) {
  const Tick first = memory.tick;
  Now now{{0.0, program_.grid.step, assembly::Sources::live}, 1.0, {first, program_.grid.time(first)}};
  for (Tick n = 0; n < count; ++n) {
    now.step.begin = now.at_end.time;
    now.at_end = {first + n + 1, program_.grid.time(first + n + 1)};
    if (const Stuck stuck = cross(slots_[program_.slot_of(first + n)], now, memory); stuck.outcome != Outcome::accepted)
      return stopped(program_, memory, stuck, n);
    ++memory.tick;
  }
  return {Outcome::accepted, count, -1, -1};
}

}  // namespace seam::coupling
