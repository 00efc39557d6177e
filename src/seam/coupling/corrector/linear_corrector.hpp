// Correctors that rest on linear models of the subsystems: outputs as they would be with the inputs that have just
// become known, and offsets of the next inputs for what stays wrong in the states. Haid et al. 2019, eqs 4-14, of which
// eq. 6 keeps its first term where errors are tracked.
#pragma once

#include <optional>

#include "seam/coupling/corrector/context.hpp"
#include "seam/coupling/corrector/corrector.hpp"

namespace seam::coupling {

/// An offset that makes good for the mean error of an input.
struct ResidualOffset {
  enum class Residual {
    printed,    ///< the mean error of the last step
    plain,      ///< the same, as if that step had had no offset
    cumulative  ///< the sum of the mean errors of all steps
  } residual = Residual::cumulative;
  bool corrects_feedthrough = true;  ///< for what the offset feeds through directly
  double alpha = 1.0;                ///< share that is applied
  int row = -1;                      ///< of the sums, if there are any
};

class LinearCorrector : public Corrector {
 public:
  CorrectorShape shape() const final { return shape_; }
  void correct_outputs(CorrectionContext& context) const final;
  void find_offsets(CorrectionContext& context) const final;
  void note_cut(const Correction& correction, int wire, double kept_back, Memory& memory) const final;
  void forget_offsets(CorrectionContext& context) const final;

 protected:
  /// The offset gets a row of its own if it sums up errors.
  LinearCorrector(CorrectorShape shape, const std::optional<ResidualOffset>& offset);

  /// What the outputs of a lane get beside the part of the inputs at the point, which are solved for.
  virtual void add_known(CorrectionContext& context, const CorrectedLane& lane, int point) const = 0;
  /// After the outputs of a point are known.
  virtual void finish_point(CorrectionContext& /*context*/) const {}

 private:
  void correct_point(CorrectionContext& context, int point) const;

  CorrectorShape shape_;
  std::optional<ResidualOffset> offset_;
};

/// The error of an input at the end of the step, times a gain of the lane from inputs to outputs, as in its model.
void add_errors_at_end(CorrectionContext& context, const CorrectedLane& lane, const double* gain);
/// The inputs of the step as polynomials, and the tracked error of the states.
void add_polynomials(CorrectionContext& context, const CorrectedLane& lane, int point);
/// What the states are wrong by is carried over the point.
void carry_errors(CorrectionContext& context);

}  // namespace seam::coupling
