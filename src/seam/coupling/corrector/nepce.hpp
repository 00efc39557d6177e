// Nearly energy-preserving coupling element: outputs are sent as they are, and what was wrong with an input in a step
// is made good by an offset in the next.
#pragma once

#include "seam/coupling/corrector/linear_corrector.hpp"

namespace seam::coupling {

class Nepce final : public LinearCorrector {
 public:
  Nepce(const ModelNeeds& models, const ResidualOffset& offset) : LinearCorrector(shape_of(models), offset) {}

 private:
  static CorrectorShape shape_of(ModelNeeds models) {
    models.reads = ModelNeeds::Reads::step;
    CorrectorShape shape{models};
    shape.reads_last_inputs = true;
    return shape;
  }
  void add_known(CorrectionContext&, const CorrectedLane&, int) const override {}
};

}  // namespace seam::coupling
