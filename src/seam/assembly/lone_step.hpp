// Macro steps that are one step of a linear model by Euler's rule under constant inputs, as bare calls: what a marcher
// gives to whoever makes many of them in a row.
#pragma once

#include <vector>

#include "seam/ode/linear_steps.hpp"

namespace seam::assembly {

/// Of derivatives and outputs.
struct LoneRows {
  ode::RowPairs before, after;           ///< derivatives and outputs at the begin of a step; outputs at its end
  std::vector<ode::RowPairs> evaluated;  ///< as MarchWish::evaluated
};

/// Belongs to a marcher, and is good for as long as that.
class LoneStep {
 public:
  LoneStep(const LoneRows& rows, double h, std::vector<double>& x)
      : all_(&rows), rows_(rows), single_{h, &rows_.before, &rows_.after}, inputs_(rows.before.inputs()), x_(&x) {
    find_kernels();
  }
  LoneStep(const LoneStep&) = delete;
  LoneStep& operator=(const LoneStep&) = delete;

  /// As Marcher::step, with known signals among the inputs.
  void make(const double* inputs, double* begins, double* outputs) const {
    kernels_->single(single_, inputs + first_, x_->data(), begins, outputs);
  }
  /// As Marcher::evaluate, likewise.
  void evaluate(int number, const double* inputs, double* outputs) const {
    kernels_->read_some(rows_.evaluated[static_cast<std::size_t>(number)], x_->data(), inputs + first_, outputs);
  }

  /// From now on all inputs but these are 0: without them a sum that begins with 0 is the same to the bit.
  void use_inputs(int first, int count) {
    if (first == first_ && count == inputs_) return;
    first_ = first;
    inputs_ = count;
    rows_.before.take(all_->before, first, count);
    rows_.after.take(all_->after, first, count);
    for (std::size_t i = 0; i < rows_.evaluated.size(); ++i) rows_.evaluated[i].take(all_->evaluated[i], first, count);
    find_kernels();
  }

 private:
  void find_kernels() { kernels_ = ode::linear_kernels(rows_.before.states(), inputs_, ode::Method::euler); }

  const LoneRows* all_;
  LoneRows rows_;
  const ode::LinearKernels::Single single_;
  int first_ = 0, inputs_;
  const ode::LinearKernels* kernels_ = nullptr;
  std::vector<double>* x_;
};

}  // namespace seam::assembly
