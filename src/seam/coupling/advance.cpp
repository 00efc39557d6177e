#include "seam/coupling/advance.hpp"

#include <algorithm>

#include "seam/coupling/corrector/quick.hpp"
#include "seam/coupling/exchange.hpp"
#include "seam/coupling/lane_watch.hpp"
#include "seam/coupling/march.hpp"

namespace seam::coupling {
namespace {

using assembly::Sources;
using assembly::StepCall;
using base::Outcome;
using base::Tick;

enum class Length { whole, shorter };

/// Lanes in a row, one call each. A wish to end is remembered: the others go on to the end of the step.
template <Length length, class Watch>
[[gnu::always_inline]] inline Stuck step_lanes_over(const Program& program, const Operation& operation, const Now& now,
                                                    double* values, Watch& watch) {
  Stuck stuck;
  const auto row = program.rows[static_cast<std::size_t>(operation.first)];
  const bool at_once = length == Length::whole && !Watch::watches && row;
  const StepCall* call = program.calls.data() + operation.first;
  for (const StepCall* const end = call + operation.count; call != end; ++call) {
    Outcome outcome = Outcome::accepted;
    if (at_once) {
      const assembly::RowEnd reached = row(call, end, now.step, values);
      if (reached.at == end) break;
      call = reached.at;
      outcome = reached.outcome;
    } else if (length == Length::whole) {
      outcome = call->call(call->who, now.step, call->input(values), call->output(values));
    } else {
      outcome = cross_in_segments(program, program.lanes[static_cast<std::size_t>(call->lane)], now, values);
    }
    watch.lane(call->lane);
    if (outcome != Outcome::accepted) [[unlikely]] {
      stuck = {outcome, call->lane};
      if (outcome != Outcome::ended) break;
    }
  }
  return stuck;
}

/// Those of a longer step, which ends where `now` does.
template <Length length, class Watch>
[[gnu::noinline]] Stuck step_slow_lanes(const Program& program, const Operation& operation, const Now& now,
                                        double* values, Watch& watch) {
  return step_lanes_over<length>(program, operation, stretched(program, operation.multiple, now), values, watch);
}

template <Length length, class Watch>
[[gnu::always_inline]] inline Stuck step_lanes(const Program& program, const Operation& operation, const Now& now,
                                               double* values, Watch& watch) {
  if (length == Length::whole && operation.multiple != 1) [[unlikely]]
    return step_slow_lanes<length>(program, operation, now, values, watch);
  return step_lanes_over<length>(program, operation, now, values, watch);
}

/// Whether there was a quick way for the lane of this operation.
template <Length length>
[[gnu::always_inline]] inline bool made_quickly(const Program& program, const Operation& operation, const Now& now,
                                                double* values) {
  if (operation.action == Action::evaluate) return evaluate_stage(program, operation, now, values);
  return length == Length::whole && operation.action == Action::step_in_segments &&
         march_alone(program, program.lanes[static_cast<std::size_t>(operation.first)], now, values);
}

/// The operations of one macro step. A subsystem that wants to end the run does so when all have arrived.
template <Length length, class Watch>
[[gnu::always_inline]] inline Stuck execute(const Program& program, std::span<const Operation> operations,
                                            const Now& now, Memory& memory, Watch& watch) {
  double* const values = memory.values.data();
  Stuck last_wish;
  for (std::size_t number = 0; number < operations.size(); ++number) {
    const Operation& operation = operations[number];
    if (operation.action == Action::step_directly) {
      const DirectLane* lane = program.direct.data() + operation.first;
      for (const DirectLane* const end = lane + operation.count; lane != end; ++lane) {
        lane->step.call(*lane->step.numbers, values + lane->coefficients, values + lane->values);
        watch.direct(lane - program.direct.data());
      }
    } else if (operation.action == Action::copy) {
      if (!copy(program, operation, values)) [[unlikely]]
        return {Outcome::diverged};
      watch.operation(operation);
    } else if (operation.action == Action::correct && length == Length::whole &&
               is_quick(*program.correction, memory)) {
      const Outcome outcome = now.at_end.tick < now.until ? correct_briefly(*program.correction, memory)
                                                          : correct_quickly(*program.correction, memory);
      watch.operation(operation);
      if (outcome != Outcome::accepted) [[unlikely]]
        return {outcome};
    } else if (operation.action != Action::step && made_quickly<length>(program, operation, now, values)) {
      watch.operation(operation);
    } else {
      // whoever watches wants to know what each of them takes
      const bool together = operation.action == Action::step_in_segments && operation.count == 2 && !watch.watches;
      const Stuck stuck = operation.action == Action::step ? step_lanes<length>(program, operation, now, values, watch)
                          : together                       ? cross_together(program, operation, now, values)
                          : operation.action == Action::settle
                              ? settle_events(program, now, memory)
                              : Stuck{perform(program, operation, now, memory), operation.first};
      if (operation.action != Action::step) watch.operation(operation);
      if (together) ++number;
      if (stuck.outcome != Outcome::accepted) [[unlikely]] {
        if (stuck.outcome != Outcome::ended) return stuck;
        last_wish = stuck;
      }
    }
  }
  if (!unheard_are_sound(program, values)) [[unlikely]]
    return {Outcome::diverged};
  return last_wish;
}

/// The first output that is not sound, in a memory that is `done` whole steps further; accepted if there is none.
Advance look_at_outputs(const Program& program, const Memory& memory, Tick done) {
  const auto value = [&](int member, int output) {
    return memory.values[static_cast<std::size_t>(program.output_place(member, output))];
  };
  for (const assembly::Wire& wire : program.assembly->wires) {  // first what somebody hears: it names a connection
    if (!sound(value(wire.from, wire.output), program.growth_limit))
      return {Outcome::diverged, done, wire.from, wire.output};
  }
  for (const Lane& lane : program.lanes) {
    for (int i = 0; i < lane.outputs; ++i) {
      if (!sound(memory.values[static_cast<std::size_t>(lane.values + i)], program.growth_limit))
        return {Outcome::diverged, done, lane.member, i};
    }
  }
  return {Outcome::accepted, done, -1, -1};
}

/// Who sent the sample that is not sound, where the output itself is: one that a corrector made, or a finer one of an
/// emitter.
Advance look_at_samples(const Program& program, const Memory& memory, Tick done) {
  for (std::size_t i = 0; program.correction && i < program.correction->wires.size(); ++i) {
    const CorrectedWire& corrected = program.correction->wires[i];
    if (sound(memory.values[static_cast<std::size_t>(corrected.corrected)], program.growth_limit)) continue;
    const assembly::Wire& wire = program.assembly->wires[static_cast<std::size_t>(corrected.wire)];
    return {Outcome::diverged, done, wire.from, wire.output};
  }
  for (const Lane& lane : program.lanes) {
    for (const int e : lane.emitters) {
      const EmitterGroup& group = program.emitters[static_cast<std::size_t>(e)];
      const int ports = static_cast<int>(group.ports.size());
      for (int i = 0; i < group.emitter->rows() * ports; ++i) {
        if (sound(memory.values[static_cast<std::size_t>(group.rows + i)], program.growth_limit)) continue;
        return {Outcome::diverged, done, lane.member, group.ports[static_cast<std::size_t>(i % ports)]};
      }
    }
  }
  return {Outcome::diverged, done, -1, -1};
}

/// Subsystems reject or end a step; only values diverge.
Advance ended_by(const Program& program, const Memory& memory, const Stuck& stuck, Tick done) {
  if (stuck.outcome == Outcome::diverged) {
    const Advance by_output = look_at_outputs(program, memory, done);
    return by_output.outcome == Outcome::diverged ? by_output : look_at_samples(program, memory, done);
  }
  return {stuck.outcome, done, program.lanes[static_cast<std::size_t>(stuck.lane)].member, -1};
}

}  // namespace

Advance stopped(const Program& program, Memory& memory, const Stuck& stuck, Tick done) {
  const bool arrived = stuck.outcome == Outcome::diverged || stuck.outcome == Outcome::ended;
  memory.tick += arrived ? 1 : 0;
  return ended_by(program, memory, stuck, arrived ? done + 1 : done);
}

Advance advance(const Program& program, Memory& memory, Tick count, Sources sources) {
  const Tick first = memory.tick;
  std::size_t slot = program.slot_of(first);
  std::span<const Operation> operations = program.operations_in(slot);
  const bool one_rate = program.slots.size() == 1;
  Now now{{0.0, program.grid.step, sources}, 1.0, {first, program.grid.time(first)}, first + count};
  const bool sharing = program.events == system::Events::shared;
  Unwatched nobody;
  Tick n = 0;
  try {
    for (; n < count; ++n) {
      if (program.unison) {
        memory.tick = first + n;
        const Together together = advance_in_unison(program, memory, count - n, sources);
        n += together.made;
        if (together.outcome != Outcome::accepted) {
          memory.tick = first + n;
          return stopped(program, memory, {together.outcome}, n);
        }
        if (n == count) break;
        now.at_end = {first + n, program.grid.time(first + n)};
      }
      now.step.begin = now.at_end.time;
      now.at_end = {first + n + 1, program.grid.time(first + n + 1)};
      if (const Stuck stuck = sharing ? cross_sharing_events(program, now, memory)
                                      : execute<Length::whole>(program, operations, now, memory, nobody);
          stuck.outcome != Outcome::accepted) [[unlikely]] {
        memory.tick = first + n;
        return stopped(program, memory, stuck, n);
      }
      if (one_rate) [[likely]]
        continue;
      slot = slot + 1 < program.slots.size() ? slot + 1 : 0;
      operations = program.operations_in(slot);
    }
  } catch (...) {
    memory.tick = first + n;  // whoever asks how far the run came gets the truth
    throw;
  }
  memory.tick = first + count;
  return {Outcome::accepted, count, -1, -1};
}

Advance advance_watched(const Program& program, Memory& memory, LaneWatch& watch) {
  const Tick tick = memory.tick;
  const Now now{
      {program.grid.time(tick), program.grid.step, Sources::live}, 1.0, {tick + 1, program.grid.time(tick + 1)}};
  watch.begin();
  const Stuck stuck = execute<Length::whole>(program, program.operations_in(program.slot_of(tick)), now, memory, watch);
  watch.end();
  if (stuck.outcome != Outcome::accepted) return stopped(program, memory, stuck, 0);
  ++memory.tick;
  return {Outcome::accepted, 1, -1, -1};
}

Advance advance_last(const Program& program, Memory& memory) {
  Unwatched nobody;
  const Now now{{program.grid.time(memory.tick), program.last_step, Sources::live},
                program.last_step / program.grid.step,
                {memory.tick + 1, program.grid.time(memory.tick) + program.last_step}};
  if (const Stuck stuck = program.events == system::Events::shared
                              ? cross_sharing_events(program, now, memory)
                              : execute<Length::shorter>(program, program.operations_in(0), now, memory, nobody);
      stuck.outcome != Outcome::accepted)
    return ended_by(program, memory, stuck, 0);
  return {Outcome::accepted, 0, -1, -1};
}

}  // namespace seam::coupling
