// Model-based corrector: outputs are corrected by a linear model over the step, at whose begin the states are taken as
// right; an offset of the next input makes good for what stays wrong in them.
#pragma once

#include "seam/coupling/corrector/linear_corrector.hpp"

namespace seam::coupling {

class Mbcorr final : public LinearCorrector {
 public:
  /// models.shape is what is supposed of the error of an input: constant, a ramp, or linear.
  Mbcorr(const ModelNeeds& models, const ResidualOffset& offset, int looks)
      : LinearCorrector(shape_of(models, looks), offset) {}

 private:
  static CorrectorShape shape_of(ModelNeeds models, int looks) {
    models.reads = ModelNeeds::Reads::step;
    models.solves_outputs = true;
    CorrectorShape shape{models};
    shape.looks = looks;
    shape.reads_last_inputs = true;
    return shape;
  }
  void add_known(CorrectionContext& m, const CorrectedLane& lane, int point) const override {
    const double* const K = m.models + lane.model.K;
    if (lane.known != Known::model) return add_errors_at_end(m, lane, m.models + lane.model.D);
    if (m.shape == Shape::linear) return add_polynomials(m, lane, point);
    add_errors_at_end(m, lane, m.shape == Shape::constant ? K : K + lane.inputs * lane.outputs);
  }
};

}  // namespace seam::coupling
