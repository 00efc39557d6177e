#include "seam/coupling/advance.hpp"

#include <algorithm>

#include "seam/coupling/executor.hpp"
#include "seam/coupling/lane_watch.hpp"
#include "seam/coupling/step_watch.hpp"

namespace seam::coupling {
namespace {

using assembly::Sources;
using base::Outcome;
using base::Tick;

/// The first output that is not sound, in a memory that is `done` whole steps further; accepted if there is none.
Advance look_at_outputs(const Program& program, const Memory& memory, Tick done) {
  const auto value = [&](int member, int output) {
    return memory.values[static_cast<std::size_t>(program.output_place(member, output))];
  };
  for (const assembly::Wire& wire : program.assembly->wires) {  // connected outputs first
    if (!sound(value(wire.from, wire.output), program.growth_limit))
      return {Outcome::diverged, done, wire.from, wire.output};
  }
  for (const Lane& lane : program.lanes) {
    for (int i = 0; i < lane.outputs; ++i) {
      const bool is_written = !lane.wanted || std::binary_search(lane.wanted->begin(), lane.wanted->end(), i);
      if (is_written && !sound(memory.values[static_cast<std::size_t>(lane.values + i)], program.growth_limit))
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
Advance ended_by(const Program& program, const Memory& memory, const StepFailure& failure, Tick done) {
  if (failure.outcome == Outcome::diverged) {
    const Advance by_output = look_at_outputs(program, memory, done);
    return by_output.outcome == Outcome::diverged ? by_output : look_at_samples(program, memory, done);
  }
  return {failure.outcome, done, program.lanes[static_cast<std::size_t>(failure.lane)].member, -1};
}

}  // namespace

Advance stopped(const Program& program, Memory& memory, const StepFailure& failure, Tick done) {
  const bool arrived = failure.outcome == Outcome::diverged || failure.outcome == Outcome::ended;
  memory.tick += arrived ? 1 : 0;
  return ended_by(program, memory, failure, arrived ? done + 1 : done);
}

namespace {

/// Steps by the operations. A subsystem that throws leaves the tick at the last whole step.
class Steps {
 public:
  Steps(const Program& program, Memory& memory, Sources sources, double growth_limit)
      : program_(program),
        memory_(memory),
        execution_{program, now_, memory, growth_limit},
        sharing_(program.events == system::Events::shared),
        one_rate_(program.slots.size() == 1) {
    now_.step.length = program.grid.step;
    now_.step.sources = sources;
  }

  StepFailure make_one() {
    const Tick tick = memory_.tick;
    now_.step.begin = program_.grid.time(tick);
    now_.at_end = {tick + 1, program_.grid.time(tick + 1)};
    const StepFailure failure =
        sharing_ ? cross_sharing_events(program_, now_, memory_)
                 : execute_slot(execution_, program_.operations_in(one_rate_ ? 0 : program_.slot_of(tick)));
    if (failure.outcome == Outcome::accepted) [[likely]]
      ++memory_.tick;
    return failure;
  }
  void watched_by(LaneWatch& watch) { execution_.watch = &watch; }

 private:
  const Program& program_;
  Memory& memory_;
  Now now_;
  Execution execution_;
  bool sharing_, one_rate_;
};

/// Monitors see a step that the map has made.
void measure_mapped_step(const Program& program, Memory& memory, Sources sources) {
  const Tick tick = memory.tick;
  const Now now{{program.grid.time(tick), program.grid.step, sources}, 1.0, {tick + 1, program.grid.time(tick + 1)}};
  measure_step(program, now, memory.values.data());
}

/// As many steps as the map makes; accepted with none if the next one is for the operations.
Advance advance_mapped(const Program& program, Memory& memory, Tick count, Sources sources) {
  const MappedSteps steps = advance_by_map(program, memory, count, sources);
  if (steps.made > 0 && !program.monitors.empty()) measure_mapped_step(program, memory, sources);
  memory.tick += steps.made;
  if (steps.outcome == Outcome::accepted) return {Outcome::accepted, steps.made, -1, -1};
  return ended_by(program, memory, {steps.outcome}, steps.made);
}

}  // namespace

Advance advance_by_operations(const Program& program, Memory& memory, Tick count, const ProbeStep& probe) {
  Steps steps(program, memory, probe.sources, probe.growth_limit);
  for (Tick n = 0; n < count; ++n) {
    if (const StepFailure failure = steps.make_one(); failure.outcome != Outcome::accepted)
      return stopped(program, memory, failure, n);
  }
  return {Outcome::accepted, count, -1, -1};
}

Advance advance(const Program& program, Memory& memory, Tick count, Sources sources) {
  Steps steps(program, memory, sources, program.growth_limit);
  for (Tick n = 0; n < count;) {
    if (program.map) {
      const Advance mapped = advance_mapped(program, memory, count - n, sources);
      n += mapped.done;
      if (mapped.outcome != Outcome::accepted) return {mapped.outcome, n, mapped.member, mapped.output};
      if (mapped.done > 0) continue;
    }
    if (const StepFailure failure = steps.make_one(); failure.outcome != Outcome::accepted) [[unlikely]]
      return stopped(program, memory, failure, n);
    ++n;
  }
  return {Outcome::accepted, count, -1, -1};
}

Advance advance_watched(const Program& program, Memory& memory, LaneWatch& watch) {
  watch.begin();
  if (program.map) {
    const Advance mapped = advance_mapped(program, memory, 1, Sources::live);
    watch.all_lanes(program.map->lane_share);
    if (mapped.done > 0) {
      watch.end();
      return mapped;
    }
  }
  Steps steps(program, memory, Sources::live, program.growth_limit);
  steps.watched_by(watch);
  const StepFailure failure = steps.make_one();
  watch.end();
  if (failure.outcome != Outcome::accepted) return stopped(program, memory, failure, 0);
  return {Outcome::accepted, 1, -1, -1};
}

Advance advance_last(const Program& program, Memory& memory) {
  const Now now{{program.grid.time(memory.tick), program.last_step, Sources::live},
                program.last_step / program.grid.step,
                {memory.tick + 1, program.grid.time(memory.tick) + program.last_step}};
  const Execution execution{program, now, memory, program.growth_limit};
  const StepFailure failure = program.events == system::Events::shared
                                  ? cross_sharing_events(program, now, memory)
                                  : execute_slot(execution, program.operations_in(0));
  if (failure.outcome != Outcome::accepted) return ended_by(program, memory, failure, 0);
  return {Outcome::accepted, 0, -1, -1};
}

}  // namespace seam::coupling
