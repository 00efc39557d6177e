#include "seam/coupling/corrector/correct.hpp"

#include "seam/coupling/corrector/learning.hpp"
#include "seam/coupling/corrector/mending.hpp"
#include "seam/coupling/corrector/models.hpp"

namespace seam::coupling {
namespace {

/// Finer samples are moved by the correction of the last one.
void write_fine(const CorrectedWire& wire, double* values) {
  for (int row = 0; row < wire.fine_count; ++row) {
    const double newest = values[wire.fine_from], raw = values[wire.fine_from + row * wire.fine_stride];
    values[wire.fine + row] = values[wire.corrected] + wire.gain * (raw - newest);
  }
}

void send_one(const Correction& c, const CorrectedWire& wire, double* values) {
  values[wire.corrected] = std::clamp(wire.gain * values[c.sent + wire.output] + wire.offset, wire.low, wire.high);
  if (wire.fine >= 0) write_fine(wire, values);
}

bool jumped(const Mending& m, const CorrectedLane& lane) {
  if (lane.may_have_events && m.program.lanes[static_cast<std::size_t>(lane.lane)].subsystem->had_event()) return true;
  return is_tuned(m, lane);
}

/// An event of the experiment decides what this input is, at the begin or at the end of the step.
bool is_replaced(const Mending& m, const CorrectedWire& wire) {
  const CorrectedLane& lane = m.correction.lanes[static_cast<std::size_t>(wire.sink)];
  const int input = wire.coefficients - m.program.lanes[static_cast<std::size_t>(lane.lane)].coefficients;
  const base::Tick end = m.now.at_end.tick;
  return std::any_of(m.program.interventions.begin(), m.program.interventions.end(), [&](const Intervention& one) {
    return one.lane == lane.lane && one.course.input == input &&
           (one.course.at(end - lane.multiple) || one.course.at(end));
  });
}

/// Who has not arrived keeps what it sent. Where something jumped in the step nothing is mended.
void find_who_takes_part(Mending& m) {
  const Correction& c = m.correction;
  bool all = c.one_rate && m.program.interventions.empty();
  for (const CorrectedLane& lane : c.lanes) all = all && !(lane.may_have_events && jumped(m, lane));
  if (all) return;
  m.part = {m.room.lanes, m.room.wires};
  for (std::size_t l = 0; l < c.lanes.size(); ++l) {
    const bool here = m.is_here(c.lanes[l]), jump = here && jumped(m, c.lanes[l]);
    m.room.lanes[l] = here && !jump ? 1.0 : 0.0;
    if (jump) ++m.memory.knowledge[static_cast<std::size_t>(c.skipped) + l];
  }
  for (std::size_t w = 0; w < c.wires.size(); ++w) {
    const auto source = static_cast<std::size_t>(c.outputs[static_cast<std::size_t>(c.wires[w].output)].lane);
    const bool source_jumped = m.is_here(c.lanes[source]) && m.room.lanes[source] == 0.0;
    const bool takes_part = m.room.lanes[c.wires[w].sink] != 0.0 && !source_jumped && !is_replaced(m, c.wires[w]);
    m.room.wires[w] = takes_part ? 1.0 : 0.0;
  }
}

/// How large inputs are in this motion.
void note_sizes(Mending& m) {
  const Correction& c = m.correction;
  for (std::size_t w = 0; c.refreshes && w < c.wires.size(); ++w) {
    double& size = m.models[c.sizes + static_cast<int>(w)];
    if (c.wires[w].size == 0.0) size = std::max(size, std::abs(m.values[c.wires[w].corrected]));
  }
}

/// Models that are told anew at every point, or once for all points of the step; whether there are any.
bool renew_models(const Mending& m, int point) {
  const bool once = m.correction.settings.jacobians == CorrectorSettings::Jacobians::end;
  bool any = false;
  for (const CorrectedLane& lane : m.correction.lanes) {
    if (lane.refresh != Refresh::every_step || !m.is_here(lane) || (once && point > 0)) continue;
    any = true;
    if (once || point + 1 == m.correction.points()) {
      refresh_model(m.program, lane, m.now.end(), m.memory);
    } else if (lane.told >= 0) {
      recall_model(m.program, lane, point, m.memory);
    }
  }
  return any;
}

/// What was solved once, as long as nothing is different.
void choose_solution(Mending& m) {
  const Correction& c = m.correction;
  if (m.all_take_part() && !c.refreshes && m.shape == c.settings.shape) {
    m.solved_outputs = m.models + c.solved;
    m.solved_sinks = m.models + c.solved_sinks;
    return;
  }
  m.solved_outputs = m.room.solved.outputs;
  m.solved_sinks = m.room.solved.sinks;
  if (solve(c, m.shape, m.part, m.models, m.room.solved)) return;
  // No correction is better than one by a matrix that has no inverse.
  std::fill_n(m.room.lanes, c.lanes.size(), 0.0);
  std::fill_n(m.room.wires, c.wires.size(), 0.0);
  m.part = {m.room.lanes, m.room.wires};
  solve(c, m.shape, m.part, m.models, m.room.solved);
  ++m.memory.knowledge[static_cast<std::size_t>(c.unsolved)];
}

/// Whether all is sound.
bool send(Mending& m, double growth_limit) {
  const Correction& c = m.correction;
  bool all_sound = true;
  for (std::size_t w = 0; w < c.wires.size(); ++w) {
    const CorrectedWire& wire = c.wires[w];
    if (!m.is_here(wire)) continue;
    send_one(c, wire, m.values);
    all_sound &= sound(m.values[wire.corrected], growth_limit);
    if (!wire.limited) continue;
    const double wanted = wire.gain * m.values[c.sent + wire.output] + wire.offset;
    if (wanted < wire.low || wanted > wire.high) ++m.memory.knowledge[static_cast<std::size_t>(c.clamped) + w];
  }
  return all_sound;
}

}  // namespace

void mend_points(Mending& m) {
  const Correction& c = m.correction;
  std::int64_t& seen = m.memory.knowledge[static_cast<std::size_t>(c.seen)];
  m.shape = c.settings.shape == Shape::parabola && seen == 0 ? Shape::linear : c.settings.shape;
  ++seen;
  for (std::size_t w = 0; w < c.wires.size(); ++w) {
    if (!m.knows_past) m.room.past[w] = m.values[c.wires[w].corrected];
    m.room.mean[w] = 0.0;
  }
  for (int point = 0; point < c.points(); ++point) {
    const bool is_other_shape = point == 1 && m.shape != c.settings.shape;  // now there is a point before the last
    if (is_other_shape) m.shape = c.settings.shape;
    if (renew_models(m, point) || is_other_shape || point == 0) choose_solution(m);
    mend_outputs(m, point);
    if (c.tracks()) carry_errors(m);
    for (std::size_t w = 0; w < c.wires.size(); ++w) {
      if (!m.is_here(c.wires[w])) continue;
      m.room.mean[w] += 0.5 * (m.room.past[w] + m.room.next[w]) / c.points();
      if (c.before >= 0) m.values[c.before + static_cast<int>(w)] = m.room.past[w];
      m.room.past[w] = m.room.next[w];
    }
  }
  if (!c.learns()) return;
  // points inside the step are as wrong as the hold until there are models: only what was sent counts
  for (std::size_t w = 0; w < c.wires.size(); ++w)
    m.room.mean[w] = 0.5 * (m.values[c.wires[w].corrected] + m.room.next[w]);
}

bool is_tuned(const Mending& m, const CorrectedLane& lane) {
  const base::Tick begin = m.now.at_end.tick - lane.multiple;
  return std::any_of(m.program.interventions.begin(), m.program.interventions.end(), [&](const Intervention& one) {
    const bool tunes = one.lane == lane.lane && one.way == Intervention::Way::parameter;
    const system::Piece* piece = tunes ? one.course.at(begin) : nullptr;
    return piece && piece->moves_at(begin);
  });
}

void send_as_they_are(const Correction& c, double* values) {
  for (std::size_t o = 0; o < c.outputs.size(); ++o) values[c.sent + static_cast<int>(o)] = values[c.outputs[o].raw];
  for (const CorrectedWire& wire : c.wires) send_one(c, wire, values);
}

void send_again(const Correction& c, int lane, base::Tick tick, double* values) {
  for (std::size_t o = 0; o < c.outputs.size(); ++o) {
    const bool own = c.lanes[static_cast<std::size_t>(c.outputs[o].lane)].lane == lane;
    if (own) values[c.sent + static_cast<int>(o)] = values[c.outputs[o].raw];
  }
  for (const CorrectedWire& wire : c.wires) {
    const CorrectedOutput& output = c.outputs[static_cast<std::size_t>(wire.output)];
    const bool heard = tick % c.lanes[static_cast<std::size_t>(wire.sink)].multiple == 0;
    if (heard && c.lanes[static_cast<std::size_t>(output.lane)].lane == lane) send_one(c, wire, values);
  }
}

bool correct(const Execution& execution) {
  const Program& program = execution.program;
  Mending m(program, execution.now, execution.memory);
  const Correction& c = m.correction;
  if (execution.now.fraction != 1.0) {  // models are of whole steps
    send_as_they_are(c, m.values);
    return send(m, execution.growth_limit);
  }
  note_sizes(m);
  find_who_takes_part(m);
  if (program.learning) program.learning->observe(m);
  mend_points(m);
  if (c.offset >= 0) find_offsets(m);
  if (program.learning) program.learning->conclude(m);
  return send(m, execution.growth_limit);
}

}  // namespace seam::coupling
