#include "seam/coupling/advance.hpp"

#include <algorithm>
#include <cmath>

#include "seam/assembly/polynomial.hpp"
#include "seam/coupling/last_step.hpp"

namespace seam::coupling {
namespace {

using assembly::InputPolynomials;
using assembly::Sources;
using base::Outcome;
using base::Tick;

/// Where in time the step that is being executed lies.
struct Now {
  double begin = 0.0;
  double length = 0.0;    ///< of the step
  double fraction = 1.0;  ///< of a whole macro step
  Sources sources = Sources::live;
};

void observe(const Program& program, const Lane& lane, double* values) {
  for (const int e : lane.emitters) {
    const EmitterGroup& group = program.emitters[static_cast<std::size_t>(e)];
    const int ports = static_cast<int>(group.ports.size());
    for (int p = 0; p < ports; ++p) values[group.gathered + p] = values[lane.values + group.ports[static_cast<std::size_t>(p)]];
    group.emitter->observe(ports, values + group.gathered, values + group.rows);
  }
}

/// One call a micro step; the emitters see every micro point.
Outcome cross_in_segments(const Program& program, const Lane& lane, const Now& now, double* values) {
  const InputPolynomials whole{values + lane.coefficients, lane.degree, lane.inputs};
  const int segments = now.fraction == 1.0 ? lane.segments : segments_of_last_step(lane, now.fraction);
  const double length = now.length / segments;
  const bool constant = lane.crossing == Crossing::constant_segments;
  InputPolynomials part{values + lane.segment, constant ? 0 : lane.degree, lane.inputs};
  for (int s = 0; s < segments; ++s) {
    const double from = now.fraction * s / segments;
    if (constant) {
      whole.at(from, {values + lane.segment, static_cast<std::size_t>(lane.inputs)});
    } else {
      assembly::restrict_polynomial(whole, from, now.fraction * (s + 1) / segments, values + lane.segment);
    }
    const Outcome outcome = lane.subsystem->advance({now.begin + s * length, length, now.sources}, part,
                                                    {values + lane.values, static_cast<std::size_t>(lane.outputs)});
    if (outcome != Outcome::accepted) return outcome;
    observe(program, lane, values);
  }
  return Outcome::accepted;
}

Outcome cross(const Program& program, const Lane& lane, const Now& now, double* values) {
  if (lane.crossing != Crossing::whole || now.fraction != 1.0) return cross_in_segments(program, lane, now, values);
  return lane.subsystem->advance({now.begin, now.length, now.sources}, {values + lane.coefficients, lane.degree, lane.inputs},
                                 {values + lane.values, static_cast<std::size_t>(lane.outputs)});
}

/// Outputs for the inputs that have just arrived (feed-through sent fresh); what the emitters saw last is replaced.
void evaluate(const Program& program, const Lane& lane, const Now& now, double* values) {
  for (int i = 0; i < lane.inputs; ++i) values[lane.fresh + i] = values[lane.now[static_cast<std::size_t>(i)]];
  lane.subsystem->evaluate(now.begin + now.length, now.sources, {values + lane.fresh, static_cast<std::size_t>(lane.inputs)},
                           {values + lane.values, static_cast<std::size_t>(lane.outputs)});
  for (const int e : lane.emitters) {
    const EmitterGroup& group = program.emitters[static_cast<std::size_t>(e)];
    const int ports = static_cast<int>(group.ports.size());
    for (int p = 0; p < ports; ++p) values[group.gathered + p] = values[lane.values + group.ports[static_cast<std::size_t>(p)]];
    group.emitter->replace(ports, values + group.gathered, values + group.rows);
  }
}

void receive(const Program& program, const ReceiverGroup& group, const Memory& memory, double* values) {
  const Lane& lane = program.lanes[static_cast<std::size_t>(group.lane)];
  const std::int64_t seen = memory.knowledge[static_cast<std::size_t>(group.counter)];
  const int available = static_cast<int>(std::min<std::int64_t>(seen, group.receiver->shape().history));
  group.receiver->polynomial(static_cast<int>(group.columns.size()), available, values + group.history,
                             {values + lane.coefficients, lane.inputs, group.columns.data()});
}

void arrive(const ReceiverGroup& group, Memory& memory, double* values) {
  group.receiver->arrive(static_cast<int>(group.columns.size()), group.rows_per_arrival, values + group.incoming,
                         values + group.history);
  memory.knowledge[static_cast<std::size_t>(group.counter)] += group.new_per_arrival;
}

/// The operations of one macro step; the lane that did not accept, or -1.
int execute(const Program& program, Memory& memory, const Now& now, Outcome& outcome) {
  double* values = memory.values.data();
  for (const Operation& operation : program.operations) {
    const auto first = static_cast<std::size_t>(operation.first);
    switch (operation.action) {
      case Action::step:
        outcome = cross(program, program.lanes[first], now, values);
        if (outcome != Outcome::accepted) return operation.first;
        break;
      case Action::copy: {
        const Link* link = program.links.data() + first;
        for (const Link* end = link + operation.count; link != end; ++link) values[link->to] = values[link->from];
        break;
      }
      case Action::scale: {
        const Link* link = program.links.data() + first;
        for (const Link* end = link + operation.count; link != end; ++link) {
          values[link->to] = link->gain * values[link->from] + link->offset;
        }
        break;
      }
      case Action::receive:
        receive(program, program.receivers[first], memory, values);
        break;
      case Action::arrive:
        arrive(program.receivers[first], memory, values);
        break;
      case Action::evaluate:
        evaluate(program, program.lanes[first], now, values);
        break;
    }
  }
  return -1;
}

bool within_limit(const Program& program, const double* values) {
  bool within = true;
  for (int i = program.first_output; i < program.last_output; ++i) within &= std::abs(values[i]) <= program.growth_limit;
  return within;
}

Advance ended_at_lane(const Program& program, Outcome outcome, Tick done, int lane) {
  return {outcome, done, program.lanes[static_cast<std::size_t>(lane)].member, -1};
}

Advance diverged(const Program& program, const Memory& memory, Tick done) {
  for (const Lane& lane : program.lanes) {
    for (int i = 0; i < lane.outputs; ++i) {
      if (!(std::abs(memory.values[static_cast<std::size_t>(lane.values + i)]) <= program.growth_limit)) {
        return {Outcome::diverged, done, lane.member, i};
      }
    }
  }
  return {Outcome::diverged, done, -1, -1};
}

}  // namespace

Advance advance(const Program& program, Memory& memory, Tick count, Sources sources) {
  Outcome outcome = Outcome::accepted;
  for (Tick n = 0; n < count; ++n) {
    const Now now{program.grid.time(memory.tick), program.grid.step, 1.0, sources};
    const int stuck = execute(program, memory, now, outcome);
    if (stuck >= 0) return ended_at_lane(program, outcome, n, stuck);
    ++memory.tick;
    if (!within_limit(program, memory.values.data())) return diverged(program, memory, n + 1);
  }
  return {Outcome::accepted, count, -1, -1};
}

Advance advance_last(const Program& program, Memory& memory) {
  Outcome outcome = Outcome::accepted;
  const Now now{program.grid.time(memory.tick), program.last_step, program.last_step / program.grid.step, Sources::live};
  const int stuck = execute(program, memory, now, outcome);
  if (stuck >= 0) return ended_at_lane(program, outcome, 0, stuck);
  if (!within_limit(program, memory.values.data())) return diverged(program, memory, 0);
  return {Outcome::accepted, 0, -1, -1};
}

}  // namespace seam::coupling
