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
  lti::Observer observer;
  const CorrectedLane* lane = nullptr;
  int degree = 0;  ///< of its inputs
};

/// The step of a system under inputs that are polynomials, or applied as constants in equal parts of the step.
lti::PolynomialStep applied_step(const lti::StateSpace& system, const CorrectedLane& lane, double step, int degree);

/// The largest spectral radius of the macro step if the subsystems are their models, or are faster or slower, or answer
/// more or less, all by a tenth.
double worst_radius(const std::vector<SteppedModel>& models, const lti::Matrix& gains, const CarriedColumns& columns,
                    double step);

}  // namespace seam::coupling
