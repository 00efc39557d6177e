// The way in which one FMU follows inputs that vary inside a step, and what was found out about it.
#pragma once

#include <fmt/format.h>

#include "seam/fmi/co_simulation/micro_trial.hpp"
#include "seam/fmi/co_simulation/moving_inputs.hpp"

namespace seam::fmi {

template <class Instance>
class InputMode {
 public:
  InputMode(const FmuSetup& setup, const Ports& ports, const Drives& drives)
      : setup_(setup),
        moving_(ports.input_variables, setup.connected_inputs, drives),
        derivatives_(moving_),
        values_(moving_.places.size()) {}

  /// What an instance must know when it is made.
  typename Instance::Extras extras() {
    if constexpr (std::is_same_v<Instance, Instance3>) {
      if (setup_.via == system::Via::intermediate) return {moving_.references, &InputMode::update, this};
    }
    return {};
  }

  /// The highest degree of the inputs, and how a step is split. True if that is new: what trials found out about the
  /// rest stays, such as orders that the FMU refuses.
  bool prepare(const assembly::Calls& calls) {
    const bool higher = calls.degree > degree_;
    if (higher) {
      degree_ = calls.degree;
      derivatives_.prepare(setup_.via == system::Via::derivatives ? degree_ : 0);
    }
    const bool split = calls.in_macro_step > 1 && calls.in_macro_step != calls_;
    if (split) {
      macro_step_ = calls.macro_step;
      calls_ = calls.in_macro_step;
    }
    return higher || split;
  }
  /// The inputs as they are at the end of a step, where they moved; as they were set, elsewhere.
  void end_of(const Motion& motion, const double* set, std::vector<double>& inputs) const {
    inputs.assign(set, set + motion.width);
    const double end = motion.begin + motion.length;
    const bool asks = setup_.via == system::Via::intermediate;
    for (std::size_t i = 0; i < moving_.places.size(); ++i) {
      const assembly::Drive* drive = moving_.drives[i];
      double& input = inputs[static_cast<std::size_t>(moving_.places[i])];
      if (!drive) input = motion.at(moving_.places[i], end);
      if (drive && asks) input = drive->factor * drive->signal->before(end) + drive->offset;
    }
  }

  /// Before the step: what the FMU may ask for while it makes it.
  void begin(Instance& instance, const Motion& motion) {
    instance_ = &instance;
    motion_ = motion;
  }
  /// The derivatives at time t; an FMU that refuses them gets one order less from now on.
  void tell_derivatives(Instance& instance, double t) {
    while (derivatives_.order() > 0 && derivatives_.tell(instance, motion_, t) != Severity::ok) derivatives_.lower();
  }

  // Trials on instances of their own; `fresh` makes one in Initialization Mode.
  template <class Fresh>
  void try_orders(const Fresh& fresh, const PortBatches& inputs, const TrialStep& step);
  template <class Fresh>
  void try_splitting(const Fresh& fresh, const PortBatches& inputs, const PortBatches& outputs, const TrialStep& step,
                     const Ports& ports);

  /// The FMU does not take small steps: it makes the whole one in the last call, with the inputs of the first.
  bool makes_one_step_of_all_calls() const { return one_step_; }
  int calls() const { return calls_; }
  double macro_step() const { return macro_step_; }

  /// In words; empty where inputs do not move.
  std::string words() const;

 private:
  static void update(void* who, double time) {
    if constexpr (std::is_same_v<Instance, Instance3>) {
      auto& self = *static_cast<InputMode*>(who);
      if (!self.instance_) return;
      self.moving_.values_at(self.motion_, time, self.values_);
      self.instance_->set_inside_step(self.moving_.references, self.values_);
    }
  }
  const FmuSetup& setup_;
  MovingInputs moving_;
  InputDerivatives derivatives_;
  std::vector<double> values_;
  Motion motion_;
  Instance* instance_ = nullptr;
  int degree_ = 0, calls_ = 1;
  double macro_step_ = 0.0;
  bool one_step_ = false;
  std::string found_;  // by trials
};

/// Orders from the highest down, each on an instance of its own: after an error none can be used again.
template <class Instance>
template <class Fresh>
void InputMode<Instance>::try_orders(const Fresh& fresh, const PortBatches& inputs, const TrialStep& step) {
  const std::vector<double> still(static_cast<std::size_t>(degree_ + 1) * step.inputs.size());
  for (; derivatives_.order() > 0; derivatives_.lower()) {
    const auto instance = fresh();
    PortBatches batches = inputs;
    instance->exit_initialisation();
    set_ports(*instance, batches, step.inputs.data());
    const Motion motion{still.data(), degree_, static_cast<int>(step.inputs.size()), step.start, step.length};
    try {
      if (derivatives_.tell(*instance, motion, step.start) == Severity::ok) break;
    } catch (const base::Error& error) {  // after Error this instance is lost, after Fatal every instance
      if (error.failure() != base::Failure::subsystem || instance->mode() == Mode::fatal) throw;
    }
  }
  if (derivatives_.order() < degree_) found_ = fmt::format("; it refuses those above order {}", derivatives_.order());
}

template <class Instance>
template <class Fresh>
void InputMode<Instance>::try_splitting(const Fresh& fresh, const PortBatches& inputs, const PortBatches& outputs,
                                        const TrialStep& step, const Ports& ports) {
  const auto in_one = fresh(), in_many = fresh();
  const MicroTrial trial = try_micro_steps(*in_one, *in_many, {calls_, step, ports, inputs, outputs});
  if (trial.ending == MicroTrial::Ending::compared) {
    found_ = fmt::format("; in a trial they changed its outputs by {:.2g} (relative)", trial.difference);
    if (trial.cost) found_ += fmt::format(" and took {:.2g} times as long", *trial.cost);
    if (trial.difference > 0.01) found_ += ": compare with a smaller step, it may not honour short ones";
  } else if (trial.ending == MicroTrial::Ending::refused) {
    one_step_ = true;
    found_ = trial.what;
  }
}

template <class Instance>
std::string InputMode<Instance>::words() const {
  const std::string begin = setup_.name + ": inputs vary inside a step ";
  if (one_step_)
    return setup_.name + ": inputs are held over a step, since it took no micro steps in a trial: " + found_;
  if (calls_ > 1) return begin + fmt::format("by {} micro steps", calls_) + found_;
  if (degree_ == 0 || moving_.references.empty()) return {};
  switch (setup_.via) {
    case system::Via::derivatives:
      return begin + fmt::format("by their derivatives up to order {}", derivatives_.order()) + found_;
    case system::Via::intermediate:
      return begin + "by intermediate update";
    case system::Via::hold:
      return setup_.name + ": inputs are held over a step (via: hold)";
    default:
      return {};
  }
}

}  // namespace seam::fmi
