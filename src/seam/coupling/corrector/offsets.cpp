// Inputs of the next step are moved so that the states of the subsystems become right, too.
#include "seam/coupling/corrector/correct.hpp"
#include "seam/coupling/corrector/mending.hpp"

namespace seam::coupling {
namespace {

using Offset = CorrectorSettings::Offset;

double mean_of(const CorrectedLane& lane, const CorrectedWire& wire, const double* values) {
  double value = 0.0;
  for (int k = 0; k <= wire.degree; ++k) value += lane.mean[k] * values[wire.coefficients + k * wire.stride];
  return value;
}

/// The error of an input, on average over the step that was made.
double residual_of(Mending& m, int w) {
  const Correction& c = m.correction;
  const CorrectedWire& wire = c.wires[static_cast<std::size_t>(w)];
  double mean = m.room.mean[w] - mean_of(c.lanes[static_cast<std::size_t>(wire.sink)], wire, m.values);
  if (c.settings.offset == Offset::plain) mean += m.values[c.offset + w];
  if (!m.part.wire(w)) mean = 0.0;
  if (c.settings.offset != Offset::cumulative) return mean;
  return m.values[c.owed + w] += mean;
}

// Haid et al. 2019, eqs 12-14. As printed (alpha = 1) the offset makes good half of what a hold misses and
// alternates without damping; the sum of all errors does neither.
void make_good(Mending& m) {
  const Correction& c = m.correction;
  const int wires = static_cast<int>(c.wires.size());
  for (int w = 0; w < wires; ++w)
    m.room.errors[w] = m.is_here(c.wires[static_cast<std::size_t>(w)]) ? residual_of(m, w) : 0.0;
  const double* result = m.room.errors;
  if (c.settings.offset_feedthrough == CorrectorSettings::OffsetFeedthrough::corrected) {
    std::fill_n(m.room.mean, wires, 0.0);
    add_product(m.solved_sinks, wires, wires, m.room.errors, m.room.mean);
    result = m.room.mean;
  }
  for (int w = 0; w < wires; ++w) {
    if (m.is_here(c.wires[static_cast<std::size_t>(w)])) m.values[c.offset + w] = c.settings.alpha * result[w];
  }
}

/// The constant and the slope of the input number `i` of a lane that, with those of the others, bring its tracked error
/// to 0 at the end of the step, where the hold is right.
void remove_error(const Correction& c, const CorrectedLane& lane, int i, const Memory& memory, double (&added)[2]) {
  const double* const e = memory.values.data() + lane.error;
  const double* column = memory.models.data() + lane.model.deadbeat + i;
  for (int s = 0; s < lane.states; ++s, column += 2 * lane.inputs) {
    added[0] += c.settings.alpha * column[0] * e[s];
    added[1] += c.settings.alpha * column[lane.inputs] * e[s];
  }
}

/// Both ends of the input stay within its limits. What of the constant and the slope that brings nothing: where the
/// input is outside already, that is not the doing of an offset.
struct Cut {
  double constant = 0.0, slope = 0.0;
};
Cut keep_limits(const CorrectedWire& wire, double (&added)[2], const double* values) {
  double begin = values[wire.coefficients], end = 0.0;
  for (int k = 0; k <= wire.degree; ++k) end += values[wire.coefficients + k * wire.stride];
  const auto kept = [&](double value) { return std::clamp(value, wire.low, wire.high); };
  const double constant = added[0], slope = added[1], wanted = end + constant + slope;
  added[0] = kept(begin + constant) - begin;
  added[1] = wire.degree > 0 ? kept(wanted) - end - added[0] : 0.0;
  return {constant - (kept(begin + constant) - kept(begin)), slope == 0.0 ? 0.0 : wanted - kept(wanted)};
}

/// What a limit does not let pass counts as an error of the step (residual_of): it is taken off before, or it would add
/// up as long as the limit holds.
void cut_offset(const Correction& c, int w, double (&added)[2], Memory& memory) {
  const Cut cut = keep_limits(c.wires[static_cast<std::size_t>(w)], added, memory.values.data());
  if (cut.constant == 0.0 && cut.slope == 0.0) return;
  ++memory.knowledge[static_cast<std::size_t>(c.cut + w)];
  if (c.owed >= 0) memory.values[static_cast<std::size_t>(c.owed + w)] -= cut.constant;
}

}  // namespace

void find_offsets(Mending& m) { make_good(m); }

void add_offsets(const Correction& c, const LaneRange& lanes, Memory& memory) {
  double* const values = memory.values.data();
  for (int l = lanes.first; l < lanes.first + lanes.count; ++l) {
    const CorrectedLane& lane = c.lanes[static_cast<std::size_t>(l)];
    for (int i = 0; i < lane.inputs; ++i) {
      const int w = lane.first_input + i;
      const CorrectedWire& wire = c.wires[static_cast<std::size_t>(w)];
      if (wire.is_sample) values[wire.coefficients] = values[wire.corrected];
      for (int k = 1; k <= wire.degree && wire.is_plain_hold; ++k) values[wire.coefficients + k * wire.stride] = 0.0;
      double added[2] = {c.offset >= 0 ? values[c.offset + w] : 0.0, 0.0};
      if (c.has_slope()) remove_error(c, lane, i, memory, added);
      if (wire.limited) cut_offset(c, w, added, memory);
      values[wire.coefficients] += added[0];
      if (c.has_slope()) values[wire.coefficients + wire.stride] += added[1];
    }
  }
}

}  // namespace seam::coupling
