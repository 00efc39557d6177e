#include "seam/coupling/corrector/predictive.hpp"

#include <utility>

#include "seam/coupling/corrector/context.hpp"

namespace seam::coupling {
namespace {

constexpr int residual = 0;  // row of what outputs are beyond their model

/// One lane, its matrices, and its inputs as they lie in Memory::values: one block a power of theta.
struct Observed {
  Observed(const Program& program, const CorrectedLane& corrected, Memory& memory)
      : lane(corrected),
        own(program.lanes[static_cast<std::size_t>(corrected.lane)]),
        at(program.correction->prediction
               ->observers[static_cast<std::size_t>(&corrected - program.correction->lanes.data())]),
        values(memory.values.data()),
        models(memory.models.data()) {}

  /// to += matrix times the coefficients, power after power.
  void add_inputs(const double* matrix, int rows, double* to) const {
    for (int k = 0; k <= own.degree; ++k)
      add_product(matrix + k * rows * own.inputs, rows, own.inputs, values + own.coefficients + k * own.inputs, to);
  }
  double* estimate() const { return values + lane.carried; }
  double* left(const Correction& c) const { return values + c.output_row(residual) + lane.first_output; }

  const CorrectedLane& lane;
  const Lane& own;
  const ObserverPlaces& at;
  double *values, *models;
};

/// x^- = A x^ + G u, e = y - C x^- - D u, x^ = x^- + K e, r = (I - C K) e.
void observe(CorrectionContext& m, const CorrectedLane& lane) {
  const Observed o(m.program, lane, m.memory);
  const int n = lane.states, p = lane.outputs;
  double* const next = m.work.states;
  double* const innovation = m.work.known + lane.first_output;
  std::fill_n(next, n, 0.0);
  add_product(m.models + o.at.A, n, n, o.estimate(), next);
  o.add_inputs(m.models + o.at.G, n, next);
  std::fill_n(innovation, p, 0.0);
  add_product(m.models + o.at.C, p, n, next, innovation);
  o.add_inputs(m.models + o.at.D, p, innovation);
  for (int i = 0; i < p; ++i)
    innovation[i] = m.raw(m.correction.outputs[static_cast<std::size_t>(lane.first_output + i)], 0) - innovation[i];
  add_product(m.models + o.at.gain, n, p, innovation, next);
  std::copy_n(next, n, o.estimate());
  std::fill_n(o.left(m.correction), p, 0.0);
  add_product(m.models + o.at.residual, p, p, innovation, o.left(m.correction));
}

/// What an input is where it is largest or smallest stays within its limits: at its constants, or at both ends of a
/// ramp. Whether that changed it.
bool keep_limits(const CorrectedLane& lane, const CorrectedWire& wire, double* values) {
  const int count = lane.written;
  const double apart = lane.in_pieces ? 1.0 / count : 1.0;
  double at[powers] = {};
  bool changed = false;
  for (int i = 0; i < count; ++i) {
    for (int k = count - 1; k >= 0; --k) at[i] = at[i] * (i * apart) + values[wire.coefficients + k * wire.stride];
    const double kept = std::clamp(at[i], wire.low, wire.high);
    changed = changed || kept != at[i];
    at[i] = kept;
  }
  if (!changed) return false;
  const double bend = count > 2 ? 0.5 * (at[0] - 2.0 * at[1] + at[2]) : 0.0;
  const double c[powers] = {at[0], (at[1] - at[0] - bend) / apart, bend / (apart * apart)};
  for (int k = 0; k < count; ++k) values[wire.coefficients + k * wire.stride] = c[k];
  return true;
}

CorrectorShape shape_of(ModelNeeds::Source models, const Predictive::Form& form) {
  using Input = Predictive::Input;
  const Input input = form.input;
  CorrectorShape shape;
  shape.models.source = models;
  shape.models.reads = ModelNeeds::Reads::coupled;
  shape.addition = Addition::polynomial;
  shape.degree = input == Input::automatic || input == Input::ramp ? 1 : 0;
  shape.pieces = input == Input::automatic || input == Input::pieces ? form.pieces : 1;
  shape.needs_form = input == Input::ramp || input == Input::pieces;
  shape.output_rows = {"beyond its model"};
  shape.of_states = "estimate of state";
  return shape;
}

}  // namespace

Predictive::Predictive(ModelNeeds::Source models, const Form& form) : shape_(shape_of(models, form)) {}

void Predictive::begin(const Program& program, Memory& memory) const {
  const Correction& c = *program.correction;
  for (const CorrectedLane& lane : c.lanes) {
    const Observed o(program, lane, memory);
    const int n = lane.states, p = lane.outputs;
    double* const left = o.left(c);  // y, then y - D u, then what C x^ does not explain of it
    for (int i = 0; i < p; ++i) left[i] = o.values[c.outputs[static_cast<std::size_t>(lane.first_output + i)].raw];
    for (int i = 0; i < o.own.inputs; ++i) {
      const double input = -o.values[o.own.now[static_cast<std::size_t>(i)]];
      add_product(o.models + o.at.D + i * p, p, 1, &input, left);
    }
    std::fill_n(o.estimate(), n, 0.0);
    if (n > 0 && lane.equations->start == LaneModel::Start::of_states) {
      const lti::Matrix& from = lane.equations->to_states;
      add_product(from.data(), n, static_cast<int>(from.cols()), o.own.subsystem->states().data(), o.estimate());
    } else if (n > 0 && lane.equations->start == LaneModel::Start::known) {
      std::copy_n(lane.equations->known.data(), n, o.estimate());
    } else {
      add_product(o.models + o.at.start, n, p, left, o.estimate());
    }
    for (int s = 0; s < n; ++s) {
      const double taken_off = -o.estimate()[s];
      add_product(o.models + o.at.C + s * p, p, 1, &taken_off, left);
    }
  }
}

/// What is sent are the outputs as they are: nothing reads it but records.
void Predictive::correct_outputs(CorrectionContext& m) const {
  const Correction& c = m.correction;
  for (const CorrectedLane& lane : c.lanes) observe(m, lane);
  for (std::size_t o = 0; o < c.outputs.size(); ++o) m.sent()[o] = m.raw(c.outputs[o], 0);
}

void Predictive::write_inputs(const Correction& c, const LaneRange& lanes, Memory& memory) const {
  const Prediction& p = *c.prediction;
  double* const values = memory.values.data();
  const double *const gains = memory.models.data() + p.gains, *const constants = memory.models.data() + p.constants;
  const CorrectedLane& first = c.lanes[static_cast<std::size_t>(lanes.first)];
  const CorrectedLane& last = c.lanes[static_cast<std::size_t>(lanes.first + lanes.count - 1)];
  for (int w = first.first_input; w < last.first_input + last.inputs; ++w) {
    const CorrectedWire& wire = c.wires[static_cast<std::size_t>(w)];
    const int row = p.rows[static_cast<std::size_t>(w)], rows = p.rows[static_cast<std::size_t>(w) + 1] - row;
    for (int k = 0; k <= wire.degree; ++k) {
      double value = 0.0;
      if (k < rows) {
        value = constants[row + k];
        const int end = p.entries[static_cast<std::size_t>(row + k) + 1];
        for (int e = p.entries[static_cast<std::size_t>(row + k)]; e < end; ++e)
          value += gains[e] * values[p.places[static_cast<std::size_t>(e)]];
      }
      values[wire.coefficients + k * wire.stride] = value;
    }
    const CorrectedLane& sink = c.lanes[static_cast<std::size_t>(wire.sink)];
    if (wire.limited && keep_limits(sink, wire, values)) ++memory.knowledge[static_cast<std::size_t>(c.cut + w)];
  }
}

void Predictive::outputs_changed(const Correction& c, const CorrectedLane& lane, double* values) const {
  for (int o = lane.first_output; o < lane.first_output + lane.outputs; ++o)
    values[c.output_row(residual) + o] += values[c.outputs[static_cast<std::size_t>(o)].raw] - values[c.sent + o];
}

}  // namespace seam::coupling
