// Micro steps of linear equations of our own with a fixed-step solver: the inputs of all of them first, then the
// states, then what somebody wants to see. The sums are those of the equations and the solver, in their order.
#pragma once

#include <optional>
#include <vector>

#include "seam/assembly/linear_inputs.hpp"
#include "seam/ode/linear_steps.hpp"

namespace seam::assembly {

class LinearMarcher final : public Marcher {
 public:
  /// Whether there are sums and kernels for it.
  static bool can(const MarchedModel& model, const MarchWish& wish);
  LinearMarcher(const MarchedModel& model, MarchWish wish);

  bool march(const Stretch& stretch, const Notes& notes) override;
  bool step(double begin, Sources sources, const double* coefficients, const Notes& notes) override;
  void evaluate(const Wanted& wanted, const double* inputs, double* outputs) override;
  LoneStep* lone_step() override { return lone_step_ ? &*lone_step_ : nullptr; }
  double write_signals(double t, Sources sources, double* inputs) override;
  std::vector<int> driven_inputs() const override;
  bool forgets_zeros() const override { return forgets_zeros_; }
  std::unique_ptr<MarcherPair> beside(Marcher& other) override;

  // for pairs
  const MarchedModel& model() const { return model_; }
  const MarchWish& wish() const { return wish_; }
  const ode::Jacobians& sums() const { return *sums_; }
  LinearInputs& inputs() { return inputs_; }
  /// Inputs are noted as they lie on a desk.
  void note_inputs(int count, LinearInputs::Written written, const InputDesk& desk, double* begins) const;

 private:
  const double* with_signals(Sources sources, const double* inputs);
  void pack_rows();
  void note_outputs(int count, LinearInputs::Written written, const Notes& notes) const;

  MarchedModel model_;
  MarchWish wish_;
  const ode::Jacobians* sums_;
  const ode::LinearKernels* kernels_;
  ode::LinearSteps steps_;
  int n_, m_;
  LinearInputs inputs_;
  std::vector<int> all_outputs_;
  std::vector<int> given_inputs_;  // those that follow no signal
  std::vector<double> stages_, ends_;
  std::vector<double> states_;
  bool forgets_zeros_;
  LoneRows rows_;
  std::optional<LoneStep> lone_step_;  // of others, who may leave out inputs
};

}  // namespace seam::assembly
