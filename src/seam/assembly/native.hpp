// What the subsystems made of our own equations share: states in place, inputs that follow known signals, snapshots.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "seam/assembly/subsystem.hpp"

namespace seam::assembly {

/// An input that follows a signal known ahead of time: factor*signal(t) + offset.
struct Drive {
  int input = 0;
  std::shared_ptr<const ode::TimeSignal> signal;
  double factor = 1.0;
  double offset = 0.0;
};

enum class InputReading {
  signal,  ///< the solver sees inputs as functions of time
  stepped  ///< inputs are constant within each call of advance, known signals sampled at its begin: what a plain FMU
           ///< does
};

/// The equations, their start and how they are solved.
struct NativeModel {
  std::shared_ptr<const ode::Ode> ode;
  std::vector<double> x0;
  std::vector<std::string> state_names;
  std::vector<Drive> drives;
  InputReading reading = InputReading::signal;
  double solver_step = 0.0;  ///< s
};

class NativeSubsystem : public Subsystem,
                        protected Equations,
                        protected States,
                        protected Tuning,
                        protected Excitable,
                        protected Persistence {
 public:
  explicit NativeSubsystem(NativeModel model);

  bool feeds_through(int output, int input, Phase phase) const override;
  void initialise(double t0) override;
  void evaluate(double t, Sources sources, In inputs, Out outputs) override;
  Snapshot save() override;
  void restore(const Snapshot& snapshot) override;

 protected:
  std::optional<LinearModel> linearise(double t, In inputs) override;
  std::optional<lti::Matrix> feedthrough_matrix(double t, Sources sources, In inputs) override;
  LinearOffer linear_offer() const override;
  bool tell_linear(double t, In inputs, const LinearNumbers& numbers) override;
  std::span<double> values() override { return x_; }
  std::span<const std::string> names() const override { return model_.state_names; }
  void follow(int input, double factor, double offset) override;
  bool tells_signals() const override { return true; }
  double signal_at(int input, double t, Limit limit, Sources sources) const override;
  double next_corner(int input, double t, Sources sources) const override;
  void tune(int parameter, double number, const DiscreteValue& discrete_value) override;
  void excite(int input, const ode::TimeSignal* signal, double factor) override;
  std::string serialise() override;
  void resume(double t, std::string_view state) override;

  const ode::Ode& equations() const { return *model_.ode; }
  const NativeModel& model() const { return model_; }
  bool samples_known_signals() const { return model_.reading == InputReading::stepped && !model_.drives.empty(); }
  /// How many solver steps fill `length`; throws if they do not.
  int solver_steps(double length) const;
  /// Outputs at the end of a step: polynomials at theta = 1 (they may be constant), known signals at t or, stepped, at
  /// `held_at`.
  void outputs_at(double t, double held_at, Sources sources, In inputs, Out outputs);
  /// Signals for a step: those known ahead of time or, where these are silent, what analysis adds.
  std::span<const ode::DrivenInput> driven(Sources sources) const {
    return sources == Sources::live ? driven_ : excited_;
  }
  /// Their values, in `inputs`.
  void drive(double t, Sources sources, Out inputs) const;

  std::vector<double> x_;

 private:
  NativeModel model_;
  std::vector<ode::DrivenInput> driven_;
  std::vector<ode::DrivenInput> excited_;
  std::vector<double> u_;
  ode::Jacobians told_;  // kept, so that telling them allocates nothing
};

}  // namespace seam::assembly
