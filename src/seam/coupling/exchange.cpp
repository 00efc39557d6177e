#include "seam/coupling/exchange.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "seam/assembly/polynomial.hpp"
#include "seam/coupling/corrector/correct.hpp"
#include "seam/coupling/corrector/models.hpp"
#include "seam/coupling/intervention.hpp"
#include "seam/coupling/last_step.hpp"
#include "seam/coupling/march.hpp"
#include "seam/coupling/micro_rows.hpp"
#include "seam/coupling/parcels.hpp"
#include "seam/coupling/step_watch.hpp"

namespace seam::coupling {
namespace {

/// Puts the outputs that an emitter sends side by side; how many there are.
int gather(const EmitterGroup& group, const Lane& lane, double* values) {
  const int ports = static_cast<int>(group.ports.size());
  for (int p = 0; p < ports; ++p)
    values[group.gathered + p] = values[lane.values + group.ports[static_cast<std::size_t>(p)]];
  return ports;
}

void receive(const Program& program, const Operation& operation, const Memory& memory, double* values) {
  const ReceiverGroup& group = program.receivers[static_cast<std::size_t>(operation.first)];
  const Lane& lane = program.lanes[static_cast<std::size_t>(group.lane)];
  const std::int64_t seen = memory.knowledge[static_cast<std::size_t>(group.counter)];
  const int available = static_cast<int>(std::min<std::int64_t>(seen, group.history_rows));
  group.phases[static_cast<std::size_t>(operation.count)]->polynomial(
      static_cast<int>(group.columns.size()), available, values + group.history,
      {values + lane.coefficients, lane.inputs, group.columns.data()});
}

/// Inputs that are given anew for every micro step.
void smooth(const Program& program, const Lane& lane, double* values) {
  for (const int g : lane.smoothers) {
    const ReceiverGroup& group = program.receivers[static_cast<std::size_t>(g)];
    group.receiver->segment(static_cast<int>(group.columns.size()), values + group.history,
                            {values + lane.segment, lane.inputs, group.columns.data()});
  }
}

void make_room(const ReceiverGroup& group, Memory& memory, double* values) {
  group.receiver->make_room(static_cast<int>(group.columns.size()), group.rows_per_arrival, values + group.history);
  memory.knowledge[static_cast<std::size_t>(group.counter)] += group.new_per_arrival;
}

}  // namespace

void observe(const Program& program, const Lane& lane, double* values) {
  for (const int e : lane.emitters) {
    const EmitterGroup& group = program.emitters[static_cast<std::size_t>(e)];
    const int ports = gather(group, lane, values);
    group.emitter->observe(ports, values + group.gathered, values + group.rows);
  }
}

void replace_newest(const Program& program, const Lane& lane, double* values) {
  for (const int e : lane.emitters) {
    const EmitterGroup& group = program.emitters[static_cast<std::size_t>(e)];
    const int ports = gather(group, lane, values);
    group.emitter->replace(ports, values + group.gathered, values + group.rows);
  }
}

assembly::In gather_inputs(const Lane& lane, double* values) {
  for (int i = 0; i < lane.inputs; ++i) values[lane.fresh + i] = values[lane.now[static_cast<std::size_t>(i)]];
  return {values + lane.fresh, static_cast<std::size_t>(lane.inputs)};
}

void evaluate(const Program& program, const Lane& lane, const Now& now, double* values) {
  lane.subsystem->evaluate(now.end(), now.step.sources, gather_inputs(lane, values),
                           {values + lane.values, static_cast<std::size_t>(lane.outputs)});
  if (!lane.emitters.empty()) replace_newest(program, lane, values);
}

base::Outcome scale(const Program& program, const Operation& operation, double* values) {
  bool all_sound = true;
  for (const Link& link :
       std::span(program.links)
           .subspan(static_cast<std::size_t>(operation.first), static_cast<std::size_t>(operation.count))) {
    const double value = values[link.from];
    values[link.to] = link.gain * value + link.offset;
    all_sound &= sound(value, program.growth_limit);
  }
  return all_sound ? base::Outcome::accepted : base::Outcome::diverged;
}

namespace {

base::Outcome cross_one_by_one(const Program& program, const Lane& lane, const Now& now, const Marched& marched,
                               double* values) {
  const assembly::InputPolynomials whole{values + lane.coefficients, lane.degree, lane.inputs};
  const int segments = now.fraction == 1.0 ? lane.segments : segments_of_last_step(lane, now.fraction);
  const double length = now.step.length / segments;
  const bool constant = lane.crossing == Crossing::constant_segments;
  const assembly::InputPolynomials part{values + lane.segment, constant ? 0 : lane.degree, lane.inputs};
  const MicroRows* const rows =
      lane.micro_rows < 0 ? nullptr : &program.micro_rows[static_cast<std::size_t>(lane.micro_rows)];
  const int first_row = rows ? micro_rows_of_step(*rows, lane, now.at_end.tick) : 0;
  if (lane.watch >= 0) note_begin(program, lane, now, values);
  for (int s = marched.made; s < segments; ++s) {
    const double from = now.fraction * s / segments;
    if (constant) {
      whole.at(from, {values + lane.segment, static_cast<std::size_t>(lane.inputs)});
    } else {
      assembly::restrict_polynomial(whole, from, now.fraction * (s + 1) / segments, values + lane.segment);
    }
    s < marched.smoothed ? take_smoothed(program, lane, s, values) : smooth(program, lane, values);
    const assembly::Step step{now.step.begin + s * length, length, now.step.sources, s + 1 == segments};
    if (rows) note_micro_row(program, lane, first_row + s * rows->width(), step, values);
    const base::Outcome outcome =
        lane.subsystem->advance(step, part, {values + lane.values, static_cast<std::size_t>(lane.outputs)});
    const bool ends_here = outcome == base::Outcome::ended && s + 1 == segments;
    if (outcome == base::Outcome::ended && !ends_here) return base::Outcome::broke_off;
    if (outcome != base::Outcome::accepted && !ends_here) return outcome;
    observe(program, lane, values);
    if (lane.told >= 0 && now.fraction == 1.0) note_equations(program, lane, s, step, values);
    if (lane.watch >= 0 && s + 1 < segments) note_point(program, lane, s + 1, values);
    if (ends_here) return outcome;
  }
  return base::Outcome::accepted;
}

}  // namespace

base::Outcome cross_in_segments(const Program& program, const Lane& lane, const Now& now, double* values) {
  Marched marched;
  if (lane.march.marcher && now.fraction == 1.0 && now.step.length == lane.march.macro_step) {
    if (march_alone(program, lane, now, values)) return base::Outcome::accepted;
    marched = march(program, lane, now, values);
    if (marched.made == lane.segments) return base::Outcome::accepted;
  }
  return cross_one_by_one(program, lane, now, marched, values);
}

Stuck cross_together(const Program& program, const Operation& operation, const Now& now, double* values) {
  const Now own = operation.multiple == 1 ? now : stretched(program, operation.multiple, now);
  const Lane& lane = program.lanes[static_cast<std::size_t>(operation.first)];
  std::array<Marched, 2> marched;
  if (own.fraction == 1.0 && own.step.length == lane.march.macro_step)
    marched = march_together(program, lane, own, values);
  Stuck last_wish;
  for (std::size_t i = 0; i < marched.size(); ++i) {
    const int number = i == 0 ? operation.first : lane.march.partner;
    const Lane& one = program.lanes[static_cast<std::size_t>(number)];
    if (marched[i].made == one.segments) continue;
    const base::Outcome outcome = cross_one_by_one(program, one, own, marched[i], values);
    if (outcome == base::Outcome::accepted) continue;
    last_wish = {outcome, number};
    if (outcome != base::Outcome::ended) break;
  }
  return last_wish;
}

namespace {

void move_parcels(const Program& program, const Operation& operation, Memory& memory) {
  const auto first = static_cast<std::size_t>(operation.first), count = static_cast<std::size_t>(operation.count);
  if (operation.action == Action::pass)
    return pass(program, std::span(program.parcel_passes).subspan(first, count), memory);
  operation.action == Action::give ? give(program.lanes[first], memory) : take(program.lanes[first], memory);
}

/// Events of the experiment.
void intervene(const Program& program, Action when, const Now& now, Memory& memory) {
  if (when == Action::tune) return tune(program, now.at_end.tick - 1);
  if (when == Action::intervene_in_step) return intervene_in_step(program, memory, now.at_end.tick - 1);
  intervene_at_point(program, memory, now.at_end);
}

}  // namespace

base::Outcome perform(const Program& program, const Operation& operation, const Now& now, Memory& memory) {
  double* values = memory.values.data();
  const auto first = static_cast<std::size_t>(operation.first);
  switch (operation.action) {
    case Action::step_in_segments:
      if (operation.multiple == 1) [[likely]]  // not copied: that would wait for what was just written
        return cross_in_segments(program, program.lanes[first], now, values);
      return cross_in_segments(program, program.lanes[first], stretched(program, operation.multiple, now), values);
    case Action::scale:
      return scale(program, operation, values);
    case Action::receive:
      receive(program, operation, memory, values);
      break;
    case Action::offset:
      add_offsets(*program.correction, operation, memory);
      break;
    case Action::correct:
      return correct(program, now, memory);
    case Action::make_room:
      make_room(program.receivers[first], memory, values);
      break;
    case Action::evaluate:
      if (!evaluate_stage(program, operation, now, values)) evaluate(program, program.lanes[first], now, values);
      break;
    case Action::give:
    case Action::take:
    case Action::pass:
      move_parcels(program, operation, memory);
      break;
    case Action::tune:
    case Action::intervene_in_step:
    case Action::intervene_at_point:
      intervene(program, operation.action, now, memory);
      break;
    case Action::note:
      note_inputs(program, now, values);
      break;
    case Action::measure:
      for (const StepMonitor* monitor : program.monitors) monitor->measure(program, now, values);
      break;
    case Action::step:
    case Action::step_directly:
    case Action::copy:
    case Action::settle:
      break;
  }
  return base::Outcome::accepted;
}

}  // namespace seam::coupling
