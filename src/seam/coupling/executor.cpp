#include "seam/coupling/executor.hpp"

#include <algorithm>
#include <array>

#include "seam/coupling/corrector/correct.hpp"
#include "seam/coupling/discrete_values.hpp"
#include "seam/coupling/intervention.hpp"
#include "seam/coupling/lane_watch.hpp"
#include "seam/coupling/step_watch.hpp"

namespace seam::coupling {
namespace {

using assembly::StepCall;
using base::Outcome;

const Lane& lane_of(const Execution& e, const Operation& operation) {
  return e.program.lanes[static_cast<std::size_t>(operation.first)];
}
double* values_of(const Execution& e) { return e.memory.values.data(); }
StepFailure judged(bool all_sound) { return {all_sound ? Outcome::accepted : Outcome::diverged}; }

StepFailure receive(const Execution& e, const Operation& operation) {
  const ReceiverGroup& group = e.program.receivers[static_cast<std::size_t>(operation.first)];
  const Lane& lane = e.program.lanes[static_cast<std::size_t>(group.lane)];
  const std::int64_t seen = e.memory.knowledge[static_cast<std::size_t>(group.counter)];
  const int available = static_cast<int>(std::min<std::int64_t>(seen, group.history_rows));
  const bool shorter = e.now.fraction != 1.0 && group.last;
  const Receiver& receiver = shorter ? *group.last : *group.phases[static_cast<std::size_t>(operation.count)];
  receiver.polynomial(static_cast<int>(group.columns.size()), available, values_of(e) + group.history,
                      {values_of(e) + lane.coefficients, lane.inputs, group.columns.data()});
  return {};
}

StepFailure offset(const Execution& e, const Operation& operation) {
  add_offsets(e, {operation.first, operation.count});
  return {};
}

StepFailure tune(const Execution& e, const Operation&) {
  tune(e.program, e.now.at_end.tick - 1);
  return {};
}

StepFailure intervene_in_step(const Execution& e, const Operation&) {
  intervene_in_step(e.program, e.memory, e.now.at_end.tick - 1);
  return {};
}

StepFailure give(const Execution& e, const Operation& operation) {
  give(lane_of(e, operation), e.memory);
  return {};
}

/// Lanes one after the other, one call each. A wish to end is remembered: the others go on to the end of the step.
StepFailure step_over(const Execution& e, const Operation& operation, const Now& now) {
  StepFailure failure;
  double* const values = values_of(e);
  const StepCall* call = e.program.calls.data() + operation.first;
  const auto row = call->step.row;
  const bool whole = now.fraction == 1.0, by_row = whole && e.by_rows && !e.watch && row;
  for (const StepCall* const end = call + operation.count; call != end; ++call) {
    Outcome outcome = Outcome::accepted;
    if (by_row) {
      const assembly::RowEnd reached = row(call, end, now.step, values);
      if (reached.at == end) break;
      call = reached.at;
      outcome = reached.outcome;
    } else if (whole) {
      outcome = call->step.advance(now.step, call->input(values), call->output(values));
    } else {
      outcome = cross_in_segments(e.program, e.program.lanes[static_cast<std::size_t>(call->lane)], now, values);
    }
    if (e.watch) e.watch->lane(call->lane);
    if (outcome != Outcome::accepted) [[unlikely]] {
      failure = {outcome, call->lane};
      if (outcome != Outcome::ended) break;
    }
  }
  return failure;
}

StepFailure step(const Execution& e, const Operation& operation) {
  if (operation.multiple == 1) [[likely]]
    return step_over(e, operation, e.now);
  return step_over(e, operation, stretched(e.program, operation.multiple, e.now));
}

StepFailure step_in_segments(const Execution& e, const Operation& operation) {
  const Lane& lane = lane_of(e, operation);
  if (operation.multiple == 1) [[likely]]
    return {cross_in_segments(e.program, lane, e.now, values_of(e)), operation.first};
  return {cross_in_segments(e.program, lane, stretched(e.program, operation.multiple, e.now), values_of(e)),
          operation.first};
}

StepFailure take(const Execution& e, const Operation& operation) {
  take(lane_of(e, operation), e.memory);
  return {};
}

StepFailure correct(const Execution& e, const Operation&) { return judged(correct(e)); }

StepFailure make_room(const Execution& e, const Operation& operation) {
  const ReceiverGroup& group = e.program.receivers[static_cast<std::size_t>(operation.first)];
  group.receiver->make_room(static_cast<int>(group.columns.size()), group.rows_per_arrival,
                            values_of(e) + group.history);
  e.memory.knowledge[static_cast<std::size_t>(group.counter)] += group.new_per_arrival;
  return {};
}

/// Links without a factor or an offset.
StepFailure copy(const Execution& e, const Operation& operation) {
  double* const values = values_of(e);
  bool all_sound = true;
  const Link* link = e.program.links.data() + operation.first;
  for (const Link* const end = link + operation.count; link != end; ++link) {
    const double value = values[link->from];
    values[link->to] = value;
    all_sound &= sound(value, e.growth_limit);
  }
  return judged(all_sound);
}

StepFailure scale(const Execution& e, const Operation& operation) {
  double* const values = values_of(e);
  bool all_sound = true;
  const Link* link = e.program.links.data() + operation.first;
  for (const Link* const end = link + operation.count; link != end; ++link) {
    const double value = values[link->from];
    values[link->to] = link->gain * value + link->offset;
    all_sound &= sound(value, e.growth_limit);
  }
  return judged(all_sound);
}

StepFailure evaluate(const Execution& e, const Operation& operation) {
  evaluate(e.program, lane_of(e, operation), e.now, values_of(e));
  return {};
}

StepFailure pass(const Execution& e, const Operation& operation) {
  pass(e.program,
       std::span(e.program.discrete_passes)
           .subspan(static_cast<std::size_t>(operation.first), static_cast<std::size_t>(operation.count)),
       e.memory);
  return {};
}

StepFailure intervene_at_point(const Execution& e, const Operation&) {
  intervene_at_point(e.program, e.memory, e.now.at_end);
  return {};
}

StepFailure settle(const Execution& e, const Operation&) { return settle_events(e.program, e.now, e.memory); }

StepFailure note(const Execution& e, const Operation&) {
  note_inputs(e.program, e.now, values_of(e));
  return {};
}

StepFailure measure(const Execution& e, const Operation&) {
  measure_step(e.program, e.now, values_of(e));
  return {};
}

constexpr std::array rows{
    ActionRow{Action::receive, Phase::before_lane, InParts::every_part, AtEvent::once, receive},
    ActionRow{Action::offset, Phase::before_steps, InParts::never, AtEvent::once, offset},
    ActionRow{Action::tune, Phase::before_steps, InParts::first_part, AtEvent::once, tune},
    ActionRow{Action::intervene_in_step, Phase::before_steps, InParts::every_part, AtEvent::once, intervene_in_step},
    ActionRow{Action::give, Phase::before_lane, InParts::every_part, AtEvent::once, give},
    ActionRow{Action::step, Phase::lane_step, InParts::every_part, AtEvent::once, step},
    ActionRow{Action::step_in_segments, Phase::lane_step, InParts::every_part, AtEvent::once, step_in_segments},
    ActionRow{Action::take, Phase::after_lane, InParts::every_part, AtEvent::once, take},
    ActionRow{Action::correct, Phase::point, InParts::never, AtEvent::once, correct},
    ActionRow{Action::make_room, Phase::point, InParts::parts_that_move, AtEvent::once, make_room},
    ActionRow{Action::copy, Phase::point, InParts::every_part, AtEvent::repeated, copy},
    ActionRow{Action::scale, Phase::point, InParts::every_part, AtEvent::repeated, scale},
    ActionRow{Action::evaluate, Phase::point, InParts::every_part, AtEvent::repeated, evaluate},
    ActionRow{Action::pass, Phase::point, InParts::every_part, AtEvent::repeated, pass},
    ActionRow{Action::intervene_at_point, Phase::point, InParts::every_part, AtEvent::repeated, intervene_at_point},
    ActionRow{Action::settle, Phase::point, InParts::every_part, AtEvent::once, settle},
    ActionRow{Action::note, Phase::point, InParts::never, AtEvent::once, note},
    ActionRow{Action::measure, Phase::point, InParts::never, AtEvent::once, measure},
};

constexpr bool rows_are_in_order() {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].action != static_cast<Action>(i)) return false;
  }
  return true;
}
static_assert(rows_are_in_order(), "the row of an action is found by its number");

}  // namespace

const ActionRow& row_of(Action action) { return rows[static_cast<std::size_t>(action)]; }

StepFailure execute(const Execution& execution, std::span<const Operation> operations) {
  StepFailure last_wish;
  for (const Operation& operation : operations) {
    const StepFailure failure = row_of(operation).perform(execution, operation);
    if (execution.watch) execution.watch->operation(operation);
    if (failure.outcome != Outcome::accepted) [[unlikely]] {
      if (failure.outcome != Outcome::ended) return failure;
      last_wish = failure;
    }
  }
  return last_wish;
}

StepFailure execute_slot(const Execution& execution, std::span<const Operation> operations) {
  const StepFailure failure = execute(execution, operations);
  if (failure.outcome != Outcome::accepted && failure.outcome != Outcome::ended) return failure;
  const double* const values = execution.memory.values.data();
  for (const int place : execution.program.unread) {
    if (!sound(values[place], execution.growth_limit)) [[unlikely]]
      return {Outcome::diverged};
  }
  return failure;
}

std::vector<Operation> split_by_lane(const Program& program, const Operation& operation) {
  if (operation.lane >= 0) return {operation};
  std::vector<Operation> single;
  for (int i = operation.first; i < operation.first + operation.count; ++i)
    single.push_back({operation.action, i, 1, operation.multiple, program.calls[static_cast<std::size_t>(i)].lane});
  return single;
}

}  // namespace seam::coupling
