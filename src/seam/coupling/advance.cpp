#include "seam/coupling/advance.hpp"

#include <algorithm>
#include <cmath>

#include "seam/assembly/polynomial.hpp"
#include "seam/coupling/last_step.hpp"
#include "seam/coupling/parcels.hpp"

namespace seam::coupling {
namespace {

using assembly::InputPolynomials;
using assembly::Sources;
using base::Outcome;
using base::Tick;

/// The step that is being executed; `fraction` is its length in macro steps.
struct Now {
  assembly::Step step;
  double fraction = 1.0;
};

/// Puts the outputs that an emitter sends side by side; how many there are.
int gather(const EmitterGroup& group, const Lane& lane, double* values) {
  const int ports = static_cast<int>(group.ports.size());
  for (int p = 0; p < ports; ++p)
    values[group.gathered + p] = values[lane.values + group.ports[static_cast<std::size_t>(p)]];
  return ports;
}

void observe(const Program& program, const Lane& lane, double* values) {
  for (const int e : lane.emitters) {
    const EmitterGroup& group = program.emitters[static_cast<std::size_t>(e)];
    const int ports = gather(group, lane, values);
    group.emitter->observe(ports, values + group.gathered, values + group.rows);
  }
}

/// One call a macro step.
inline Outcome cross(const StepCall& call, const Now& now, double* values) {
  return call.step.call(call.step.who, now.step, {values + call.coefficients, call.degree, call.inputs},
                        {values + call.values, static_cast<std::size_t>(call.outputs)});
}

/// One call a micro step; the emitters see every micro point.
Outcome cross_in_segments(const Program& program, const Lane& lane, const Now& now, double* values) {
  const InputPolynomials whole{values + lane.coefficients, lane.degree, lane.inputs};
  const int segments = now.fraction == 1.0 ? lane.segments : segments_of_last_step(lane, now.fraction);
  const double length = now.step.length / segments;
  const bool constant = lane.crossing == Crossing::constant_segments;
  const InputPolynomials part{values + lane.segment, constant ? 0 : lane.degree, lane.inputs};
  for (int s = 0; s < segments; ++s) {
    const double from = now.fraction * s / segments;
    if (constant) {
      whole.at(from, {values + lane.segment, static_cast<std::size_t>(lane.inputs)});
    } else {
      assembly::restrict_polynomial(whole, from, now.fraction * (s + 1) / segments, values + lane.segment);
    }
    const Outcome outcome = lane.subsystem->advance({now.step.begin + s * length, length, now.step.sources, s + 1 == segments}, part,
                                                    {values + lane.values, static_cast<std::size_t>(lane.outputs)});
    const bool ends_here = outcome == Outcome::ended && s + 1 == segments;
    if (outcome == Outcome::ended && !ends_here) return Outcome::broke_off;
    if (outcome != Outcome::accepted && !ends_here) return outcome;
    observe(program, lane, values);
    if (ends_here) return outcome;
  }
  return Outcome::accepted;
}

/// Outputs for the inputs that have just arrived (feed-through sent fresh); what the emitters saw last is replaced.
void evaluate(const Program& program, const Lane& lane, const Now& now, double* values) {
  for (int i = 0; i < lane.inputs; ++i) values[lane.fresh + i] = values[lane.now[static_cast<std::size_t>(i)]];
  lane.subsystem->evaluate(now.step.begin + now.step.length, now.step.sources,
                           {values + lane.fresh, static_cast<std::size_t>(lane.inputs)},
                           {values + lane.values, static_cast<std::size_t>(lane.outputs)});
  for (const int e : lane.emitters) {
    const EmitterGroup& group = program.emitters[static_cast<std::size_t>(e)];
    const int ports = gather(group, lane, values);
    group.emitter->replace(ports, values + group.gathered, values + group.rows);
  }
}

void receive(const Program& program, const ReceiverGroup& group, const Memory& memory, double* values) {
  const Lane& lane = program.lanes[static_cast<std::size_t>(group.lane)];
  const std::int64_t seen = memory.knowledge[static_cast<std::size_t>(group.counter)];
  const int available = static_cast<int>(std::min<std::int64_t>(seen, group.history_rows));
  group.receiver->polynomial(static_cast<int>(group.columns.size()), available, values + group.history,
                             {values + lane.coefficients, lane.inputs, group.columns.data()});
}

void make_room(const ReceiverGroup& group, Memory& memory, double* values) {
  group.receiver->make_room(static_cast<int>(group.columns.size()), group.rows_per_arrival, values + group.history);
  memory.knowledge[static_cast<std::size_t>(group.counter)] += group.new_per_arrival;
}

/// Whether a value that is being sent is neither NaN nor infinite nor beyond the limit.
inline bool sound(double value, double limit) { return std::abs(value) <= limit; }

Outcome scale(const Program& program, const Operation& operation, double* values) {
  bool all_sound = true;
  for (const Link& link :
       std::span(program.links)
           .subspan(static_cast<std::size_t>(operation.first), static_cast<std::size_t>(operation.count))) {
    const double value = values[link.from];
    values[link.to] = link.gain * value + link.offset;
    all_sound &= sound(value, program.growth_limit);
  }
  return all_sound ? Outcome::accepted : Outcome::diverged;
}

/// One operation of the rarer kinds. Kept out of the loop so that the loop stays small.
[[gnu::noinline]] Outcome execute_other(const Program& program, const Operation& operation, const Now& now,
                                        Memory& memory) {
  double* values = memory.values.data();
  const auto first = static_cast<std::size_t>(operation.first);
  switch (operation.action) {
    case Action::step_in_segments:
      return cross_in_segments(program, program.lanes[first], now, values);
    case Action::scale:
      return scale(program, operation, values);
    case Action::receive:
      receive(program, program.receivers[first], memory, values);
      break;
    case Action::make_room:
      make_room(program.receivers[first], memory, values);
      break;
    case Action::evaluate:
      evaluate(program, program.lanes[first], now, values);
      break;
    case Action::give:
      give(program.lanes[first], memory);
      break;
    case Action::take:
      take(program.lanes[first], memory);
      break;
    case Action::pass:
      pass(program, memory);
      break;
    case Action::step:
    case Action::step_directly:
    case Action::copy:
      break;
  }
  return Outcome::accepted;
}

/// Why a step is not complete: a lane did not accept, or something that was sent is not sound.
struct Stuck {
  Outcome outcome = Outcome::accepted;
  int lane = -1;  ///< that did not accept
};

enum class Length { whole, shorter };

/// Lanes in a row, one call each. A wish to end is remembered: the others go on to the end of the step.
template <Length length>
[[gnu::always_inline]] inline Stuck step_lanes(const Program& program, const Operation& operation, const Now& now,
                                               double* values) {
  Stuck stuck;
  const StepCall* call = program.calls.data() + operation.first;
  for (const StepCall* const end = call + operation.count; call != end; ++call) {
    const Outcome outcome =
        length == Length::whole
            ? cross(*call, now, values)
            : cross_in_segments(program, program.lanes[static_cast<std::size_t>(call->lane)], now, values);
    if (outcome != Outcome::accepted) [[unlikely]] {
      stuck = {outcome, call->lane};
      if (outcome != Outcome::ended) break;
    }
  }
  return stuck;
}

/// The operations of one macro step. A subsystem that wants to end the run does so when all have arrived.
template <Length length>
[[gnu::always_inline]] inline Stuck execute(const Program& program, const Now& now, Memory& memory, double* values) {
  const double limit = program.growth_limit;
  Stuck last_wish;
  for (const Operation& operation : program.operations) {
    if (operation.action == Action::step_directly) {
      const DirectLane* lane = program.direct.data() + operation.first;
      for (const DirectLane* const end = lane + operation.count; lane != end; ++lane) {
        lane->step.call(*lane->step.numbers, values + lane->coefficients, values + lane->values);
      }
    } else if (operation.action == Action::copy) {
      const Link* link = program.links.data() + operation.first;
      for (const Link* const end = link + operation.count; link != end; ++link) {
        const double value = values[link->from];
        values[link->to] = value;
        if (!sound(value, limit)) [[unlikely]]
          return {Outcome::diverged};
      }
    } else {
      const Stuck stuck = operation.action == Action::step
                              ? step_lanes<length>(program, operation, now, values)
                              : Stuck{execute_other(program, operation, now, memory), operation.first};
      if (stuck.outcome != Outcome::accepted) [[unlikely]] {
        if (stuck.outcome != Outcome::ended) return stuck;
        last_wish = stuck;
      }
    }
  }
  for (const int place : program.unheard) {
    if (!sound(values[place], limit)) [[unlikely]]
      return {Outcome::diverged};
  }
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

/// Who sent the sample that is not sound, where the output itself is again: only the finer samples of an emitter can be
/// that.
Advance look_at_samples(const Program& program, const Memory& memory, Tick done) {
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

Advance advance(const Program& program, Memory& memory, Tick count, Sources sources) {
  double* const values = memory.values.data();
  const Tick first = memory.tick;
  Now now{{0.0, program.grid.step, sources}, 1.0};
  Tick n = 0;
  try {
    for (; n < count; ++n) {
      now.step.begin = program.grid.time(first + n);
      if (const Stuck stuck = execute<Length::whole>(program, now, memory, values); stuck.outcome != Outcome::accepted)
          [[unlikely]] {
        const bool arrived = stuck.outcome == Outcome::diverged || stuck.outcome == Outcome::ended;
        memory.tick = first + n + (arrived ? 1 : 0);
        return ended_by(program, memory, stuck, arrived ? n + 1 : n);
      }
    }
  } catch (...) {
    memory.tick = first + n;  // whoever asks how far the run came gets the truth
    throw;
  }
  memory.tick = first + count;
  return {Outcome::accepted, count, -1, -1};
}

Advance advance_last(const Program& program, Memory& memory) {
  const Now now{{program.grid.time(memory.tick), program.last_step, Sources::live},
                program.last_step / program.grid.step};
  if (const Stuck stuck = execute<Length::shorter>(program, now, memory, memory.values.data());
      stuck.outcome != Outcome::accepted)
    return ended_by(program, memory, stuck, 0);
  return {Outcome::accepted, 0, -1, -1};
}

}  // namespace seam::coupling
