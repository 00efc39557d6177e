#include "seam/coupling/corrector/linear_corrector.hpp"

#include "seam/coupling/corrector/models.hpp"

namespace seam::coupling {
namespace {

bool is_tracked(const CorrectionContext& m, const CorrectedLane& lane) {
  return m.correction.shape.tracks && lane.known == Known::model && lane.states > 0;
}
bool applies_polynomial(const CorrectedLane& lane) { return lane.model.applied_B == lane.model.B; }

/// The input at the end of the step as the subsystem applied it.
double end_of(const CorrectionContext& m, const CorrectedLane& lane, const CorrectedWire& wire) {
  double value = 0.0;
  for (int k = 0; k <= wire.degree; ++k) value += lane.end[k] * m.values[wire.coefficients + k * wire.stride];
  return value;
}

/// Coefficients of what was applied between two points.
void find_applied(const CorrectionContext& m, int w, int point) {
  const CorrectedWire& wire = m.correction.wires[static_cast<std::size_t>(w)];
  double c[powers] = {};
  for (int k = 0; k <= wire.degree; ++k) c[k] = m.values[wire.coefficients + k * wire.stride];
  if (m.correction.shape.points() > 1) {
    const double part = 1.0 / m.correction.shape.points(), from = point * part;
    const double slope = c[1] + 2.0 * from * c[2];
    c[0] += from * (c[1] + from * c[2]);
    c[1] = part * slope;
    c[2] *= part * part;
  }
  const std::size_t wires = m.correction.wires.size();
  for (std::size_t k = 0; k < powers; ++k) m.work.applied[k * wires + static_cast<std::size_t>(w)] = c[k];
}

/// Of the line through `past` and the input at the end, or the parabola that also goes through `before`: the
/// coefficients without what the input at the end adds.
void find_right(const CorrectionContext& m, int w) {
  const std::size_t wires = m.correction.wires.size();
  double* const right = m.work.right + w;
  const double past = m.work.past[w];
  const bool line = m.shape == Shape::linear;
  const double before = line ? 0.0 : m.row(0)[w];
  right[0] = past;
  right[wires] = line ? -past : -0.5 * before;
  right[2 * wires] = line ? 0.0 : 0.5 * before - past;
}

void find_coefficients(const CorrectionContext& m, const CorrectedLane& lane, int point) {
  const std::size_t wires = m.correction.wires.size();
  for (int w = lane.first_input; w < lane.first_input + lane.inputs; ++w) {
    find_right(m, w);
    find_applied(m, w, point);
    const bool counts = m.part.wire(w);
    for (std::size_t k = 0; k < powers; ++k) {
      double &right = m.work.right[k * wires + static_cast<std::size_t>(w)],
             &applied = m.work.applied[k * wires + static_cast<std::size_t>(w)];
      if (applies_polynomial(lane)) {
        right -= applied;
        applied = 0.0;
      }
      if (!counts) right = applied = 0.0;
    }
  }
}

/// to += sum_k (right_k t_k - applied_k c_k).
struct Blocks {
  const double *right, *applied;
  int rows;
};
void add_coefficients(const CorrectionContext& m, const CorrectedLane& lane, const Blocks& blocks, double* to) {
  const std::size_t wires = m.correction.wires.size();
  const int rows = blocks.rows, block = lane.inputs * rows;
  for (int k = 0; k < powers; ++k) {
    const auto first = static_cast<std::size_t>(k) * wires + static_cast<std::size_t>(lane.first_input);
    add_product(blocks.right + k * block, rows, lane.inputs, m.work.right + first, to);
    for (int i = 0; i < lane.inputs && !applies_polynomial(lane); ++i) {
      const double applied = m.work.applied[first + static_cast<std::size_t>(i)];
      for (int r = 0; r < rows; ++r) to[r] -= blocks.applied[k * block + i * rows + r] * applied;
    }
  }
}

void carry_error(CorrectionContext& m, const CorrectedLane& lane, int number) {
  double* const e = m.values + lane.carried;
  double* const next = m.work.states;
  std::fill_n(next, lane.states, 0.0);
  if (m.part.lane(number)) {  // behind a jump nothing is known of it
    const double* const B = m.models + lane.model.B;
    add_product(m.models + lane.model.A, lane.states, lane.states, e, next);
    add_coefficients(m, lane, {B, m.models + lane.model.applied_B, lane.states}, next);
    const int block = lane.inputs * lane.states;
    const double slope = m.shape == Shape::parabola ? 0.5 : 1.0, curve = m.shape == Shape::parabola ? 0.5 : 0.0;
    for (int i = 0; i < lane.inputs; ++i) {
      const double u = m.part.wire(lane.first_input + i) ? m.work.next[lane.first_input + i] : 0.0;
      const double* const column = B + block + i * lane.states;
      for (int s = 0; s < lane.states; ++s) next[s] += (slope * column[s] + curve * column[block + s]) * u;
    }
  }
  std::copy_n(next, lane.states, e);
}

/// Models that are reported anew at every point, or once for all points of the step; whether there are any.
bool renew_models(const CorrectionContext& m, int point) {
  const bool once = m.correction.shape.models.jacobians == ModelNeeds::Jacobians::end;
  bool any = false;
  for (const CorrectedLane& lane : m.correction.lanes) {
    if (lane.refresh != Refresh::every_step || !m.is_here(lane) || (once && point > 0)) continue;
    any = true;
    if (once || point + 1 == m.correction.shape.points()) {
      refresh_model(m.program, lane, m.now.end(), m.memory);
    } else if (lane.told >= 0) {
      recall_model(m.program, lane, point, m.memory);
    }
  }
  return any;
}

/// What was solved once, as long as nothing is different.
void choose_solution(CorrectionContext& m) {
  const Correction& c = m.correction;
  if (m.all_take_part() && !c.refreshes && m.shape == c.shape.models.shape) {
    m.solved_outputs = m.models + c.solved;
    m.solved_sinks = m.models + c.solved_sinks;
    return;
  }
  m.solved_outputs = m.work.solved.outputs;
  m.solved_sinks = m.work.solved.sinks;
  if (solve(c, m.shape, m.part, m.models, m.work.solved)) return;
  // No correction is better than one by a matrix that has no inverse.
  std::fill_n(m.work.lanes, c.lanes.size(), 0.0);
  std::fill_n(m.work.wires, c.wires.size(), 0.0);
  m.part = {m.work.lanes, m.work.wires};
  solve(c, m.shape, m.part, m.models, m.work.solved);
  ++m.memory.knowledge[static_cast<std::size_t>(c.unsolved)];
}

}  // namespace

LinearCorrector::LinearCorrector(CorrectorShape shape, const std::optional<ResidualOffset>& offset)
    : shape_(std::move(shape)), offset_(offset) {
  if (!offset_) return;
  shape_.addition = Addition::constant;
  shape_.models.solves_offsets = offset_->corrects_feedthrough;
  if (offset_->residual != ResidualOffset::Residual::cumulative) return;
  offset_->row = static_cast<int>(shape_.rows.size());
  shape_.rows.push_back("what its offset makes good");
}

void add_errors_at_end(CorrectionContext& m, const CorrectedLane& lane, const double* gain) {
  for (int i = 0; i < lane.inputs; ++i) {
    const int w = lane.first_input + i;
    const CorrectedWire& wire = m.correction.wires[static_cast<std::size_t>(w)];
    m.work.errors[i] = m.part.wire(w) ? wire.offset - end_of(m, lane, wire) : 0.0;
  }
  add_product(gain, lane.outputs, lane.inputs, m.work.errors, m.work.known + lane.first_output);
}

void add_polynomials(CorrectionContext& m, const CorrectedLane& lane, int point) {
  const Correction& c = m.correction;
  double* const known = m.work.known + lane.first_output;
  const GainOf at_end{c, lane, m.shape, m.models};
  for (int i = 0; i < lane.inputs; ++i) {
    const int w = lane.first_input + i;
    const double offset = m.part.wire(w) ? c.wires[static_cast<std::size_t>(w)].offset : 0.0;
    if (offset == 0.0) continue;
    for (int o = 0; o < lane.outputs; ++o) known[o] += at_end(o, i) * offset;
  }
  find_coefficients(m, lane, point);
  if (is_tracked(m, lane))
    add_product(m.models + lane.model.C, lane.outputs, lane.states, m.values + lane.carried, known);
  add_coefficients(m, lane, {m.models + lane.model.K, m.models + lane.model.applied_K, lane.outputs}, known);
}

void LinearCorrector::correct_point(CorrectionContext& m, int point) const {
  const Correction& c = m.correction;
  const bool solves = shape_.models.solves_outputs;
  for (std::size_t l = 0; l < c.lanes.size(); ++l) {
    const CorrectedLane& lane = c.lanes[l];
    const bool here = m.is_here(lane);
    for (int o = lane.first_output; o < lane.first_output + lane.outputs; ++o)
      m.work.known[o] = here ? m.raw(c.outputs[static_cast<std::size_t>(o)], point) : m.sent()[o];
    const bool knows = lane.known != Known::nothing && lane.inputs > 0;
    if (solves && here && knows && m.part.lane(static_cast<int>(l))) add_known(m, lane, point);
  }
  const int count = static_cast<int>(c.outputs.size());
  double* const sent = m.sent();
  if (solves) {
    std::fill_n(sent, count, 0.0);
    add_product(m.solved_outputs, count, count, m.work.known, sent);
  } else {
    std::copy_n(m.work.known, count, sent);
  }
  for (std::size_t w = 0; w < c.wires.size(); ++w) {
    const CorrectedWire& wire = c.wires[w];
    m.work.next[w] = std::clamp(wire.gain * sent[wire.output] + wire.offset, wire.low, wire.high);
  }
}

// Until there is a point before the last, the parabola is a line.
void LinearCorrector::correct_outputs(CorrectionContext& m) const {
  const Correction& c = m.correction;
  const Shape usual = shape_.models.shape;
  m.shape = usual == Shape::parabola && m.points_before == 0 ? Shape::linear : usual;
  for (std::size_t w = 0; w < c.wires.size(); ++w) {
    if (!m.knows_past) m.work.past[w] = m.values[c.wires[w].corrected];
    m.work.mean[w] = 0.0;
  }
  for (int point = 0; point < shape_.points(); ++point) {
    const bool is_other_shape = point == 1 && m.shape != usual;
    if (is_other_shape) m.shape = usual;
    if (renew_models(m, point) || is_other_shape || point == 0) choose_solution(m);
    correct_point(m, point);
    finish_point(m);
    for (std::size_t w = 0; w < c.wires.size(); ++w) {
      if (!m.is_here(c.wires[w])) continue;
      m.work.mean[w] += 0.5 * (m.work.past[w] + m.work.next[w]) / shape_.points();
      m.work.past[w] = m.work.next[w];
    }
  }
  if (!shape_.learns()) return;
  // points inside the step are as wrong as the hold until there are models: only what was sent counts
  for (std::size_t w = 0; w < c.wires.size(); ++w)
    m.work.mean[w] = 0.5 * (m.values[c.wires[w].corrected] + m.work.next[w]);
}

void carry_errors(CorrectionContext& m) {
  for (std::size_t l = 0; l < m.correction.lanes.size(); ++l) {
    const CorrectedLane& lane = m.correction.lanes[l];
    if (is_tracked(m, lane) && m.is_here(lane)) carry_error(m, lane, static_cast<int>(l));
  }
}

}  // namespace seam::coupling
