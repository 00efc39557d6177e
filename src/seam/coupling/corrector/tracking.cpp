#include "seam/coupling/corrector/tracking.hpp"

namespace seam::coupling {
namespace {

CorrectorShape shape_of(ModelNeeds models, const Tracking::NextInput& next, int looks) {
  models.reads = ModelNeeds::Reads::step;
  models.solves_outputs = true;
  CorrectorShape shape{models};
  shape.looks = looks;
  shape.tracks = true;
  shape.of_states = "error of state";
  shape.reads_last_inputs = true;
  if (next.deadbeat) shape.addition = Addition::line;
  if (models.shape == Shape::parabola) {
    shape.points_before = 1;
    shape.rows = {"corrected, the point before"};  // add_polynomials reads it as row 0
  }
  return shape;
}

}  // namespace

Tracking::Tracking(const ModelNeeds& models, const NextInput& next, int looks)
    : LinearCorrector(shape_of(models, next, looks), next.offset), share_(next.deadbeat.value_or(0.0)) {}

void Tracking::add_known(CorrectionContext& m, const CorrectedLane& lane, int point) const {
  if (lane.known != Known::model) return add_errors_at_end(m, lane, m.models + lane.model.D);
  add_polynomials(m, lane, point);
}

void Tracking::finish_point(CorrectionContext& m) const {
  carry_errors(m);
  const auto& wires = m.correction.wires;
  for (std::size_t w = 0; m.correction.shape.points_before > 0 && w < wires.size(); ++w) {
    if (m.is_here(wires[w])) m.row(0)[w] = m.work.past[w];
  }
}

/// With those of the other inputs of the lane, at the end of the step, where the hold is right.
Corrector::Line Tracking::line(const Correction&, const CorrectedLane& lane, int input, const Memory& memory) const {
  Line added;
  const double* const e = memory.values.data() + lane.carried;
  const double* column = memory.models.data() + lane.model.deadbeat + input;
  for (int s = 0; s < lane.states; ++s, column += 2 * lane.inputs) {
    added.constant += share_ * column[0] * e[s];
    added.slope += share_ * column[lane.inputs] * e[s];
  }
  return added;
}

}  // namespace seam::coupling
