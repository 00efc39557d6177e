// Micro steps of linear equations of our own with a fixed-step solver: the inputs of all of them first, then the
// states, then what somebody wants to see. The sums are those of the equations and the solver, in their order.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "seam/assembly/marcher.hpp"
#include "seam/assembly/native.hpp"
#include "seam/ode/linear_steps.hpp"

namespace seam::assembly {

/// What it moves: it all belongs to the subsystem.
struct MarchedModel {
  const ode::Ode* equations = nullptr;
  ode::Method method = ode::Method::euler;
  InputReading reading = InputReading::signal;
  int solver_steps = 1;  ///< in a micro step
  std::vector<double>* x = nullptr;
  std::span<const ode::DrivenInput> driven;
};

class LinearMarcher final : public Marcher {
 public:
  /// Whether there are sums and kernels for it.
  static bool can(const MarchedModel& model, const MarchWish& wish);
  LinearMarcher(const MarchedModel& model, MarchWish wish);

  bool march(const Stretch& stretch, const Notes& notes) override;
  bool step(double begin, Sources sources, const double* coefficients, const Notes& notes) override;
  void evaluate(const Wanted& wanted, const double* inputs, double* outputs) override;
  const LoneStep* lone_step() const override { return lone_step_ ? &*lone_step_ : nullptr; }
  double write_signals(double t, Sources sources, double* inputs) override;
  std::vector<int> driven_inputs() const override;

 private:
  /// While `from` <= t < `until` a known signal is `value`.
  struct Steady {
    double from = 0.0, until = 0.0, value = 0.0;
  };

  double* input(int step, int solver_step, int row) {
    return inputs_.data() + ((step * model_.solver_steps + solver_step) * rows_ + row) * m_;
  }
  void pack_rows();
  bool is_finite(const Stretch& stretch) const;
  void find_parts(const Stretch& stretch);
  void fill(const Stretch& stretch);
  void fill_constant(int count, int column, double value);
  template <int degree>
  void fill_given(const Stretch& stretch, int column);
  template <int degree>
  void fill_column(const Stretch& stretch, int column);
  template <int degree, class Part>
  void write_stages(int step, int column, const Part& part);
  void drive(const Stretch& stretch);
  bool is_steady(double begin, double end, std::size_t number);
  bool all_are_steady(double begin, double end);
  const double* with_signals(Sources sources, const double* inputs);
  void drive_changing(const Stretch& stretch, const ode::DrivenInput& driven);
  void note_inputs(int count, double* begins) const;
  void note_outputs(int count, const Notes& notes) const;

  MarchedModel model_;
  MarchWish wish_;
  const ode::Jacobians* sums_;
  const ode::LinearKernels* kernels_;
  ode::LinearSteps steps_;
  int n_, m_, rows_;
  int first_end_ = 0;        // from this micro step on the inputs at the end are wanted
  std::vector<char> given_;  // one an input
  std::vector<int> all_outputs_;
  std::vector<double> inputs_;      // of every solver step, rows_ of m_ each
  std::vector<double> end_inputs_;  // of every micro step
  std::vector<double> states_;
  std::vector<double> borders_;  // of the micro steps in the macro step, from 0 to 1
  int borders_first_ = -1, borders_parts_ = 0;
  std::vector<Steady> steady_;       // one a known signal
  Steady all_steady_;                // while all of them are as they are
  std::vector<int> given_inputs_;    // those that follow no signal
  ode::RowPairs before_, after_;         // of step(): derivatives and outputs at its begin; outputs at its end
  std::vector<ode::RowPairs> evaluated_;
  std::optional<LoneStep> lone_step_;
};

}  // namespace seam::assembly
