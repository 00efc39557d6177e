// What a prediction extrapolates: from the residuals and innovations of the latest communication points to their
// courses over the step to come, and which orders of that a step bears. Only source files of this room include it.
#pragma once

#include <vector>

#include "seam/coupling/corrector/correction.hpp"
#include "seam/lti/discretise.hpp"
#include "seam/lti/input_prediction.hpp"
#include "seam/lti/observer.hpp"

namespace seam::coupling {

/// The composed gains of an order: columns of states, then of the carried rows of all outputs, one row behind the
/// other, then as in the prediction.
struct CarriedColumns {
  int states = 0, outputs = 0;
  int rows = 1;

  int state(int i) const { return i; }
  int row(int number, int output) const { return states + number * outputs + output; }
  int behind() const { return states + rows * outputs; }
};

/// Inputs from what is carried, by extrapolation of an order up to that of `inputs`. An output is known `stamp` parts
/// of a step before the communication point: in the middle of the constant that it answers to.
lti::Matrix gains_of_order(const lti::InputPrediction& inputs, int order, const std::vector<double>& stamps);

/// One subsystem as the master steps it.
struct SteppedModel {
  lti::StateSpace system;  ///< its inputs are those that are predicted, then others
  lti::Matrix gain;        ///< of its observer, at each look
  const CorrectedLane* lane = nullptr;
  int degree = 0;  ///< of its inputs
};

/// A part of a step, of so many equal ones.
struct PartOfStep {
  int number = 0, of = 1;
};
/// A part of the step of a system whose inputs are polynomials over the whole step.
lti::PolynomialStep moving_part(const lti::StateSpace& system, double step, int degree, PartOfStep part);
/// The same where the lane applies them as constants in equal parts of the step: of all of it, or of one of these.
lti::PolynomialStep applied_part(const lti::StateSpace& system, const CorrectedLane& lane, double step, int degree,
                                 PartOfStep part);
/// What theta^k of the input is at the end of the part, as it is applied.
double applied_at_end(const CorrectedLane& lane, int k, PartOfStep part);

/// The largest spectral radius of the macro step if the subsystems are their models, or are faster or slower, or answer
/// more or less, all by a tenth.
double worst_radius(const std::vector<SteppedModel>& models, const lti::Matrix& gains, const CarriedColumns& columns,
                    double step);

}  // namespace seam::coupling
