#include "seam/coupling/corrector/correct.hpp"

#include "seam/coupling/corrector/context.hpp"
#include "seam/coupling/corrector/learning.hpp"

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

bool jumped(const CorrectionContext& m, const CorrectedLane& lane) {
  const auto* const known = m.program.lanes[static_cast<std::size_t>(lane.lane)].subsystem->facets().equations;
  return (lane.may_have_events && known && known->had_event()) || is_tuned(m, lane);
}

/// Lanes that have not arrived keep what they sent. Where something jumped in the step nothing is corrected.
void find_participants(CorrectionContext& m) {
  const Correction& c = m.correction;
  bool all = c.one_rate && m.program.interventions.empty();
  for (const CorrectedLane& lane : c.lanes) all = all && !(lane.may_have_events && jumped(m, lane));
  if (all) return;
  m.part = {m.work.lanes, m.work.wires};
  for (std::size_t l = 0; l < c.lanes.size(); ++l) {
    const bool here = m.is_here(c.lanes[l]), jump = here && jumped(m, c.lanes[l]);
    m.work.lanes[l] = here && !jump ? 1.0 : 0.0;
    if (jump) ++m.memory.knowledge[static_cast<std::size_t>(c.skipped) + l];
  }
  for (std::size_t w = 0; w < c.wires.size(); ++w) {
    const auto source = static_cast<std::size_t>(c.outputs[static_cast<std::size_t>(c.wires[w].output)].lane);
    const bool source_jumped = m.is_here(c.lanes[source]) && m.work.lanes[source] == 0.0;
    const bool takes_part = m.work.lanes[c.wires[w].sink] != 0.0 && !source_jumped && !is_replaced(m, c.wires[w]);
    m.work.wires[w] = takes_part ? 1.0 : 0.0;
  }
}

/// How large inputs are in this motion.
void note_sizes(CorrectionContext& m) {
  const Correction& c = m.correction;
  for (std::size_t w = 0; c.refreshes && w < c.wires.size(); ++w) {
    double& size = m.models[c.sizes + static_cast<int>(w)];
    if (c.wires[w].size == 0.0) size = std::max(size, std::abs(m.values[c.wires[w].corrected]));
  }
}

/// Whether all is sound.
bool send(CorrectionContext& m, double growth_limit) {
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

bool is_replaced(const CorrectionContext& m, const CorrectedWire& wire) {
  const CorrectedLane& lane = m.correction.lanes[static_cast<std::size_t>(wire.sink)];
  const int input = wire.coefficients - m.program.lanes[static_cast<std::size_t>(lane.lane)].coefficients;
  const base::Tick end = m.now.at_end.tick;
  return std::any_of(m.program.interventions.begin(), m.program.interventions.end(), [&](const Intervention& one) {
    return one.lane == lane.lane && one.course.input == input &&
           (one.course.at(end - lane.multiple) || one.course.at(end));
  });
}

bool is_tuned(const CorrectionContext& m, const CorrectedLane& lane) {
  const base::Tick begin = m.now.at_end.tick - lane.multiple;
  return std::any_of(m.program.interventions.begin(), m.program.interventions.end(), [&](const Intervention& one) {
    const bool tunes = one.lane == lane.lane && one.target == Intervention::Target::parameter;
    const system::Piece* piece = tunes ? one.course.at(begin) : nullptr;
    return piece && piece->moves_at(begin);
  });
}

void send_as_they_are(const Correction& c, double* values) {
  for (std::size_t o = 0; o < c.outputs.size(); ++o) values[c.sent + static_cast<int>(o)] = values[c.outputs[o].raw];
  for (const CorrectedWire& wire : c.wires) send_one(c, wire, values);
}

void send_again(const Correction& c, int lane, base::Tick tick, double* values) {
  for (const CorrectedLane& changed : c.lanes) {
    if (changed.lane == lane) c.corrector->outputs_changed(c, changed, values);
  }
  for (std::size_t o = 0; o < c.outputs.size(); ++o) {
    const bool own = c.lanes[static_cast<std::size_t>(c.outputs[o].lane)].lane == lane;
    if (own) values[c.sent + static_cast<int>(o)] = values[c.outputs[o].raw];
  }
  for (const CorrectedWire& wire : c.wires) {
    const CorrectedOutput& output = c.outputs[static_cast<std::size_t>(wire.output)];
    const bool arrives = tick % c.lanes[static_cast<std::size_t>(wire.sink)].multiple == 0;
    if (arrives && c.lanes[static_cast<std::size_t>(output.lane)].lane == lane) send_one(c, wire, values);
  }
}

bool correct(const Execution& execution) {
  const Program& program = execution.program;
  CorrectionContext m(program, execution.now, execution.memory);
  const Correction& c = m.correction;
  if (execution.now.fraction != 1.0) {  // models are of whole steps
    send_as_they_are(c, m.values);
    return send(m, execution.growth_limit);
  }
  note_sizes(m);
  if (c.shape.models.reads != ModelNeeds::Reads::coupled) find_participants(m);  // an observer sees a jump itself
  std::int64_t& seen = m.memory.knowledge[static_cast<std::size_t>(c.seen)];
  m.points_before = seen;
  if (m.memory.learning) m.memory.learning->observe(m);
  seen = m.points_before + 1;
  c.corrector->correct_outputs(m);
  if (c.offset >= 0) c.corrector->find_offsets(m);
  if (m.memory.learning) m.memory.learning->conclude(m);
  return send(m, execution.growth_limit);
}

}  // namespace seam::coupling
