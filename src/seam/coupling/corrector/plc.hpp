// Parallel linear correction: outputs as the inputs that have just become known make them, by what feeds through
// directly.
#pragma once

#include "seam/coupling/corrector/linear_corrector.hpp"

namespace seam::coupling {

class Plc final : public LinearCorrector {
 public:
  explicit Plc(ModelNeeds models) : LinearCorrector(shape_of(models), std::nullopt) {}

 private:
  static CorrectorShape shape_of(ModelNeeds models) {
    models.reads = ModelNeeds::Reads::feedthrough;
    models.solves_outputs = true;
    return {models};
  }
  void add_known(CorrectionContext& m, const CorrectedLane& lane, int /*point*/) const override {
    add_errors_at_end(m, lane, m.models + lane.model.D);
  }
};

}  // namespace seam::coupling
