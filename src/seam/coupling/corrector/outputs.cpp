// Outputs as they would be with the inputs that have just become known, by linear models:
// Haid et al. 2019, eqs 4-10, of which eq. 6 keeps its first term where errors are tracked.
#include "seam/coupling/corrector/mending.hpp"

namespace seam::coupling {
namespace {

using Outputs = CorrectorSettings::Outputs;

double raw(const Correction& c, const CorrectedOutput& output, int point, const double* values) {
  return values[output.point < 0 ? output.raw : output.point + (c.points() - 1 - point) * output.stride];
}

bool is_tracked(const Mending& m, const CorrectedLane& lane) {
  return m.correction.tracks() && lane.known == Known::model && lane.states > 0;
}
bool by_model(const Mending& m, const CorrectedLane& lane) {
  return m.correction.settings.outputs != Outputs::feedthrough && lane.known == Known::model;
}
bool hears_polynomial(const CorrectedLane& lane) { return lane.model.heard_B == lane.model.B; }

/// The input at the end of the step as the subsystem heard it.
double end_of(const Mending& m, const CorrectedLane& lane, const CorrectedWire& wire) {
  double value = 0.0;
  for (int k = 0; k <= wire.degree; ++k) value += lane.end[k] * m.values[wire.coefficients + k * wire.stride];
  return value;
}

/// Coefficients of what was heard between two points.
void find_heard(const Mending& m, int w, int point) {
  const CorrectedWire& wire = m.correction.wires[static_cast<std::size_t>(w)];
  double c[powers] = {};
  for (int k = 0; k <= wire.degree; ++k) c[k] = m.values[wire.coefficients + k * wire.stride];
  if (m.correction.points() > 1) {
    const double part = 1.0 / m.correction.points(), from = point * part;
    const double slope = c[1] + 2.0 * from * c[2];
    c[0] += from * (c[1] + from * c[2]);
    c[1] = part * slope;
    c[2] *= part * part;
  }
  const std::size_t wires = m.correction.wires.size();
  for (std::size_t k = 0; k < powers; ++k) m.room.heard[k * wires + static_cast<std::size_t>(w)] = c[k];
}

/// Of the line through `past` and the input at the end, or the parabola that also goes through `before`: the
/// coefficients without what the input at the end adds.
void find_right(const Mending& m, int w) {
  const std::size_t wires = m.correction.wires.size();
  double* const right = m.room.right + w;
  const double past = m.room.past[w];
  const bool line = m.shape == Shape::linear;
  const double before = line ? 0.0 : m.values[m.correction.before + w];
  right[0] = past;
  right[wires] = line ? -past : -0.5 * before;
  right[2 * wires] = line ? 0.0 : 0.5 * before - past;
}

void find_coefficients(const Mending& m, const CorrectedLane& lane, int point) {
  const std::size_t wires = m.correction.wires.size();
  for (int w = lane.first_input; w < lane.first_input + lane.inputs; ++w) {
    find_right(m, w);
    find_heard(m, w, point);
    const bool counts = m.part.wire(w);
    for (std::size_t k = 0; k < powers; ++k) {
      double &right = m.room.right[k * wires + static_cast<std::size_t>(w)],
             &heard = m.room.heard[k * wires + static_cast<std::size_t>(w)];
      if (hears_polynomial(lane)) {
        right -= heard;
        heard = 0.0;
      }
      if (!counts) right = heard = 0.0;
    }
  }
}

/// to += sum_k (right_k t_k - heard_k c_k).
struct Blocks {
  const double *right, *heard;
  int rows;
};
void add_coefficients(const Mending& m, const CorrectedLane& lane, const Blocks& blocks, double* to) {
  const std::size_t wires = m.correction.wires.size();
  const int rows = blocks.rows, block = lane.inputs * rows;
  for (int k = 0; k < powers; ++k) {
    const auto first = static_cast<std::size_t>(k) * wires + static_cast<std::size_t>(lane.first_input);
    add_product(blocks.right + k * block, rows, lane.inputs, m.room.right + first, to);
    for (int i = 0; i < lane.inputs && !hears_polynomial(lane); ++i) {
      const double heard = m.room.heard[first + static_cast<std::size_t>(i)];
      for (int r = 0; r < rows; ++r) to[r] -= blocks.heard[k * block + i * rows + r] * heard;
    }
  }
}

/// K l and all else that does not depend on the inputs at the point.
void add_what_is_known(Mending& m, const CorrectedLane& lane, int point) {
  const Correction& c = m.correction;
  double* const known = m.room.known + lane.first_output;
  const bool model = by_model(m, lane);
  const bool polynomials = model && (m.shape == Shape::linear || m.shape == Shape::parabola);
  for (int i = 0; i < lane.inputs; ++i) {
    const int w = lane.first_input + i;
    const CorrectedWire& wire = c.wires[static_cast<std::size_t>(w)];
    const double error = polynomials ? wire.offset : wire.offset - end_of(m, lane, wire);
    m.room.errors[i] = m.part.wire(w) ? error : 0.0;
  }
  const double* const K = m.models + lane.model.K;
  const int block = lane.inputs * lane.outputs;
  const double* const gain = !model ? m.models + lane.model.D : m.shape == Shape::constant ? K : K + block;
  if (!polynomials) return add_product(gain, lane.outputs, lane.inputs, m.room.errors, known);
  const GainOf at_end{c, lane, m.shape, m.models};
  for (int i = 0; i < lane.inputs; ++i) {
    if (m.room.errors[i] == 0.0) continue;
    for (int o = 0; o < lane.outputs; ++o) known[o] += at_end(o, i) * m.room.errors[i];
  }
  find_coefficients(m, lane, point);
  if (is_tracked(m, lane))
    add_product(m.models + lane.model.C, lane.outputs, lane.states, m.values + lane.error, known);
  add_coefficients(m, lane, {K, m.models + lane.model.heard_K, lane.outputs}, known);
}

void carry_error(Mending& m, const CorrectedLane& lane, int number) {
  double* const e = m.values + lane.error;
  double* const next = m.room.states;
  std::fill_n(next, lane.states, 0.0);
  if (m.part.lane(number)) {  // behind a jump nothing is known of it
    const double* const B = m.models + lane.model.B;
    add_product(m.models + lane.model.A, lane.states, lane.states, e, next);
    add_coefficients(m, lane, {B, m.models + lane.model.heard_B, lane.states}, next);
    const int block = lane.inputs * lane.states;
    const double slope = m.shape == Shape::parabola ? 0.5 : 1.0, curve = m.shape == Shape::parabola ? 0.5 : 0.0;
    for (int i = 0; i < lane.inputs; ++i) {
      const double u = m.part.wire(lane.first_input + i) ? m.room.next[lane.first_input + i] : 0.0;
      const double* const column = B + block + i * lane.states;
      for (int s = 0; s < lane.states; ++s) next[s] += (slope * column[s] + curve * column[block + s]) * u;
    }
  }
  std::copy_n(next, lane.states, e);
}

}  // namespace

void mend_outputs(Mending& m, int point) {
  const Correction& c = m.correction;
  const bool mends = c.settings.outputs != Outputs::as_sent;
  for (std::size_t l = 0; l < c.lanes.size(); ++l) {
    const CorrectedLane& lane = c.lanes[l];
    const bool here = m.is_here(lane);
    for (int o = lane.first_output; o < lane.first_output + lane.outputs; ++o)
      m.room.known[o] = here ? raw(c, c.outputs[static_cast<std::size_t>(o)], point, m.values) : m.values[c.sent + o];
    const bool knows = lane.known != Known::nothing && lane.inputs > 0;
    if (mends && here && knows && m.part.lane(static_cast<int>(l))) add_what_is_known(m, lane, point);
  }
  const int count = static_cast<int>(c.outputs.size());
  double* const sent = m.values + c.sent;
  if (mends) {
    std::fill_n(sent, count, 0.0);
    add_product(m.solved_outputs, count, count, m.room.known, sent);
  } else {
    std::copy_n(m.room.known, count, sent);
  }
  for (std::size_t w = 0; w < c.wires.size(); ++w) {
    const CorrectedWire& wire = c.wires[w];
    m.room.next[w] = std::clamp(wire.gain * sent[wire.output] + wire.offset, wire.low, wire.high);
  }
}

void carry_errors(Mending& m) {
  for (std::size_t l = 0; l < m.correction.lanes.size(); ++l) {
    const CorrectedLane& lane = m.correction.lanes[l];
    if (is_tracked(m, lane) && m.is_here(lane)) carry_error(m, lane, static_cast<int>(l));
  }
}

}  // namespace seam::coupling
