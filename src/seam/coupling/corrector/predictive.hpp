// Predictive coupling: the coupled motion of the next step is predicted from linear models, what they do not explain of
// the outputs is extrapolated, and every subsystem gets the input that brings it to where the coupled motion ends.
#pragma once

#include <optional>

#include "seam/coupling/corrector/corrector.hpp"

namespace seam::coupling {

class Predictive final : public Corrector {
 public:
  enum class Input {
    automatic,  ///< a ramp where the sink takes polynomials, pieces where its step can be split, otherwise one constant
    ramp,
    pieces,  ///< constants in equal parts of the step
    hold     ///< one constant
  };
  struct Form {
    Input input = Input::automatic;
    int pieces = 2;
    std::optional<int> order = {};  ///< of extrapolation; none: the one that foretells best
    bool keeps_sums = true;         ///< of what goes into integrators
    bool observes_pieces = true;    ///< the outputs at the end of each of them, not only of the step
  };
  Predictive(ModelNeeds::Source models, const Form& form);

  CorrectorShape shape() const override { return shape_; }
  void begin(const Program& program, Memory& memory) const override;
  void correct_outputs(CorrectionContext& context) const override;
  void write_inputs(const ComingStep& coming, const LaneRange& lanes, Memory& memory) const override;
  void outputs_changed(const Correction& correction, const CorrectedLane& lane, double* values) const override;

 private:
  CorrectorShape shape_;
};

}  // namespace seam::coupling
