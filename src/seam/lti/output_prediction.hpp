// How well a model foretells an output, without estimating its state first: the state is what fits the outputs of the
// macro steps before (the extended state space model of Di Ruscio 1997, eqs 27 to 30 of Haid et al. 2019, whose
// indices in eq. 29 are misprinted: outputs of k - 1 steps and inputs of k steps give the output of the k-th).
#pragma once

#include <span>

#include "seam/base/boxed.hpp"
#include "seam/lti/paired_model.hpp"

namespace seam::lti {

/// How samples lie in macro steps.
struct StepShape {
  int samples = 1;  ///< in a macro step
  int steps = 3;    ///< k: macro steps that are looked at together
  int total() const { return samples * steps; }
};

/// Eq. 30 with both its factors 1: the relative difference where it is small, and never more than 1.
double relative_error(std::span<const double> seen, std::span<const double> foretold);

class OutputPrediction {
 public:
  OutputPrediction(const ModelSize& size, const StepShape& shape);

  /// Once a model. Outputs count in parts of their scales. False if k - 1 outputs do not tell the states apart.
  bool prepare(const PairedModel& model, std::span<const double> output_scales);
  /// The output at the end of the last of k macro steps, from their inputs and the outputs at the ends of the others.
  std::span<const double> predict(const PairedModel& model, const Samples& steps);
  /// eq. 30 of that; infinite where the model cannot tell.
  double error(const PairedModel& model, const Samples& steps);

 private:
  struct Workspace;
  base::Boxed<Workspace> work_;
};

/// Coordinates of another model: what gives the same outputs, now and over the steps to come, as nearly as can be.
class CoordinateChange {
 public:
  CoordinateChange(const ModelSize& size, int samples);

  /// state_after = map() * state_before. False, and a map of zeros, if the states of `after` cannot be told apart.
  bool find(const PairedModel& before, const PairedModel& after, std::span<const double> output_scales);
  Eigen::Map<const Matrix> map() const;

 private:
  struct Workspace;
  base::Boxed<Workspace> work_;
};

}  // namespace seam::lti
