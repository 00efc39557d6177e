// Macro steps that are one step of a linear model by Euler's rule under constant inputs, as bare calls: what a marcher
// gives to whoever makes many of them in a row.
#pragma once

#include <span>
#include <vector>

#include "seam/ode/linear_steps.hpp"

namespace seam::assembly {

/// Belongs to a marcher, and is good for as long as that.
class LoneStep {
 public:
  LoneStep(const ode::LinearKernels& kernels, const ode::LinearKernels::Single& single,
           std::span<const ode::RowPairs> evaluated, std::vector<double>& x)
      : kernels_(&kernels), single_(single), evaluated_(evaluated), x_(&x) {}

  /// As Marcher::step, with known signals among the inputs.
  void make(const double* inputs, double* begins, double* outputs) const {
    kernels_->single(single_, inputs, x_->data(), begins, outputs);
  }
  /// As Marcher::evaluate, likewise.
  void evaluate(int number, const double* inputs, double* outputs) const {
    kernels_->read_some(evaluated_[static_cast<std::size_t>(number)], x_->data(), inputs, outputs);
  }

 private:
  const ode::LinearKernels* kernels_;
  ode::LinearKernels::Single single_;
  std::span<const ode::RowPairs> evaluated_;
  std::vector<double>* x_;
};

}  // namespace seam::assembly
