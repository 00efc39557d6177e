// Model-based corrector that carries the error of the states on from point to point, and takes it out of them by the
// next input.
#pragma once

#include "seam/coupling/corrector/linear_corrector.hpp"

namespace seam::coupling {

class Tracking final : public LinearCorrector {
 public:
  /// How the next input takes the error out of the states: not at all, by an offset for its mean error, or by the
  /// constant and the slope that bring the tracked error to zero in one step, of which a share is applied.
  struct NextInput {
    std::optional<ResidualOffset> offset = {};
    std::optional<double> deadbeat = {};
  };
  /// models.shape is how the true input is supposed to move: linear or a parabola.
  Tracking(const ModelNeeds& models, const NextInput& next, int looks);

  Line line(const Correction& correction, const CorrectedLane& lane, int input, const Memory& memory) const override;

 private:
  void add_known(CorrectionContext& context, const CorrectedLane& lane, int point) const override;
  void finish_point(CorrectionContext& context) const override;

  double share_;  // of the deadbeat line
};

}  // namespace seam::coupling
