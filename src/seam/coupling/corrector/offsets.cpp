// Inputs of the next step are moved so that the states of the subsystems become right, too.
#include "seam/coupling/corrector/correct.hpp"
#include "seam/coupling/corrector/linear_corrector.hpp"

namespace seam::coupling {
namespace {

using Residual = ResidualOffset::Residual;

double mean_of(const CorrectedLane& lane, const CorrectedWire& wire, const double* values) {
  double value = 0.0;
  for (int k = 0; k <= wire.degree; ++k) value += lane.mean[k] * values[wire.coefficients + k * wire.stride];
  return value;
}

/// The error of an input, on average over the step that was made.
double residual_of(CorrectionContext& m, const ResidualOffset& offset, int w) {
  const Correction& c = m.correction;
  const CorrectedWire& wire = c.wires[static_cast<std::size_t>(w)];
  double mean = m.work.mean[w] - mean_of(c.lanes[static_cast<std::size_t>(wire.sink)], wire, m.values);
  if (offset.residual == Residual::plain) mean += m.offset()[w];
  if (!m.part.wire(w)) mean = 0.0;
  if (offset.residual != Residual::cumulative) return mean;
  return m.row(offset.row)[w] += mean;
}

/// Both ends of the input stay within its limits. What of the constant and the slope that brings nothing: where the
/// input is outside already, that is not the doing of an offset.
struct Cut {
  double constant = 0.0, slope = 0.0;
};
Cut keep_limits(const CorrectedWire& wire, Corrector::Line& added, const double* values) {
  double begin = values[wire.coefficients], end = 0.0;
  for (int k = 0; k <= wire.degree; ++k) end += values[wire.coefficients + k * wire.stride];
  const auto kept = [&](double value) { return std::clamp(value, wire.low, wire.high); };
  const double constant = added.constant, slope = added.slope, wanted = end + constant + slope;
  added.constant = kept(begin + constant) - begin;
  added.slope = wire.degree > 0 ? kept(wanted) - end - added.constant : 0.0;
  return {constant - (kept(begin + constant) - kept(begin)), slope == 0.0 ? 0.0 : wanted - kept(wanted)};
}

/// What a limit does not let pass counts as an error of the step (residual_of): it is taken off before, or it would add
/// up as long as the limit holds.
void cut_offset(const Correction& c, int w, Corrector::Line& added, Memory& memory) {
  const Cut cut = keep_limits(c.wires[static_cast<std::size_t>(w)], added, memory.values.data());
  if (cut.constant == 0.0 && cut.slope == 0.0) return;
  ++memory.knowledge[static_cast<std::size_t>(c.cut + w)];
  c.corrector->note_cut(c, w, cut.constant, memory);
}

}  // namespace

// Haid et al. 2019, eqs 12-14. As printed (alpha = 1) the offset makes good half of what a hold misses and alternates
// without damping; the sum of all errors does neither.
void LinearCorrector::find_offsets(CorrectionContext& m) const {
  const Correction& c = m.correction;
  const int wires = static_cast<int>(c.wires.size());
  for (int w = 0; w < wires; ++w)
    m.work.errors[w] = m.is_here(c.wires[static_cast<std::size_t>(w)]) ? residual_of(m, *offset_, w) : 0.0;
  const double* result = m.work.errors;
  if (offset_->corrects_feedthrough) {
    std::fill_n(m.work.mean, wires, 0.0);
    add_product(m.solved_sinks, wires, wires, m.work.errors, m.work.mean);
    result = m.work.mean;
  }
  for (int w = 0; w < wires; ++w) {
    if (m.is_here(c.wires[static_cast<std::size_t>(w)])) m.offset()[w] = offset_->alpha * result[w];
  }
}

void LinearCorrector::note_cut(const Correction& c, int wire, double kept_back, Memory& memory) const {
  if (offset_ && offset_->row >= 0) memory.values[static_cast<std::size_t>(c.row(offset_->row) + wire)] -= kept_back;
}

void LinearCorrector::forget_offsets(CorrectionContext& m) const {
  if (offset_ && offset_->row >= 0) std::fill_n(m.row(offset_->row), m.correction.wires.size(), 0.0);
}

void add_offsets(const Execution& execution, const LaneRange& lanes) {
  const Correction& c = *execution.program.correction;
  Memory& memory = execution.memory;
  if (c.shape.addition == Addition::polynomial)
    return c.corrector->write_inputs({execution.program, execution.now.step, execution.now.at_end.tick - 1}, lanes,
                                     memory);
  double* const values = memory.values.data();
  const bool line = c.shape.addition == Addition::line;
  for (int l = lanes.first; l < lanes.first + lanes.count; ++l) {
    const CorrectedLane& lane = c.lanes[static_cast<std::size_t>(l)];
    for (int i = 0; i < lane.inputs; ++i) {
      const int w = lane.first_input + i;
      const CorrectedWire& wire = c.wires[static_cast<std::size_t>(w)];
      if (wire.is_sample) values[wire.coefficients] = values[wire.corrected];
      for (int k = 1; k <= wire.degree && wire.is_plain_hold; ++k) values[wire.coefficients + k * wire.stride] = 0.0;
      Corrector::Line added = line ? c.corrector->line(c, lane, i, memory) : Corrector::Line{values[c.offset + w], 0.0};
      if (wire.limited) cut_offset(c, w, added, memory);
      values[wire.coefficients] += added.constant;
      if (line) values[wire.coefficients + wire.stride] += added.slope;
    }
  }
}

}  // namespace seam::coupling
