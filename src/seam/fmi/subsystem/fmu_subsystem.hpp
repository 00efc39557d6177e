// What every subsystem made of an FMU knows from its description: ports, and which outputs follow from which inputs.
#pragma once

#include <optional>
#include <utility>

#include "seam/fmi/description/ports.hpp"
#include "seam/fmi/instance/call_watch.hpp"
#include "seam/fmi/instance/host_guard.hpp"
#include "seam/fmi/subsystem/birth.hpp"
#include "seam/fmi/subsystem/fmu_setup.hpp"
#include "seam/fmi/subsystem/observation.hpp"
#include "seam/fmi/subsystem/sensitivity.hpp"
#include "seam/fmi/subsystem/told_equations.hpp"

namespace seam::fmi {

class FmuSubsystem : public assembly::Subsystem,
                     protected assembly::Equations,
                     protected assembly::DiscretePorts,
                     protected assembly::Observables,
                     protected assembly::Persistence,
                     protected assembly::Tuning,
                     protected assembly::Diagnostics {
 public:
  using Phase = assembly::Phase;
  bool feeds_through(int output, int input, Phase phase) const override {
    const ModelDescription& description = setup_.fmu->description;
    return phase == Phase::stepping ? fmi::feeds_through(description, ports_, output, input)
                                    : fmi::depends_at_start(description, ports_, output, input);
  }

 protected:
  explicit FmuSubsystem(FmuSetup setup) : setup_(with_ports(std::move(setup))), ports_(*setup_.ports) {
    facets_.equations = this;
    facets_.discrete_ports = this;
    facets_.observables = this;
    facets_.tuning = this;
    facets_.diagnostics = this;
  }
  void offer_persistence(const Interface& interface) {
    if (interface.can_get_and_set_state && interface.can_serialize_state) facets_.persistence = this;
  }
  std::string complaint() const override { return complaint_; }

  std::vector<assembly::Observable> variables() const override {
    return observables_of(setup_.fmu->description, structure_of(setup_));
  }
  const std::vector<int>& outputs_of_steps() const override { return ports_.outputs_of_steps; }
  void choose(const std::vector<int>& outputs, const std::vector<int>& variables) override {
    observation_ = observation_of(setup_.fmu->description, structure_of(setup_), setup_.ports, {outputs, variables});
  }
  /// Outputs that a program wants at the start and after every step, added to those that others want. Whether that
  /// makes a difference.
  bool want(const std::vector<int>* outputs) {
    const bool first = !std::exchange(is_prepared_, true);
    if (first && outputs) wanted_ = *outputs;
    if (first) return true;
    if (!wanted_) return false;
    if (!outputs) {
      wanted_.reset();
      return true;
    }
    const std::size_t before = wanted_->size();
    for (const int output : *outputs) {
      if (std::find(wanted_->begin(), wanted_->end(), output) == wanted_->end()) wanted_->push_back(output);
    }
    return wanted_->size() > before;
  }
  /// Of a subsystem that no program steps.
  bool want_all_unless_prepared() { return !is_prepared_ && want(nullptr); }
  template <class Instance>
  void observe_in(Instance& instance, const Arithmetic& arithmetic, assembly::Out reals,
                  std::span<system::DiscreteValue> discrete_values) {
    const ArithmeticGuard guard(arithmetic);
    const CallScope scope(instance.identity().c_str());
    observation_.read(instance, reals, discrete_values);
  }
  template <class Instance>
  void take_from(Instance& instance, const Arithmetic& arithmetic, PortBatches& outputs,
                 std::span<system::DiscreteValue> discrete_values) {
    if (outputs.discrete_values.empty()) return;
    const ArithmeticGuard guard(arithmetic);
    const CallScope scope(instance.identity().c_str());
    get_discrete_values(instance, outputs, discrete_values);
  }
  PortBatches wanted_outputs() const { return some_outputs(wanted_ ? &*wanted_ : nullptr); }
  PortBatches all_outputs() const { return some_outputs(nullptr); }

  /// In Initialization Mode, for the inputs that were set last. None if the FMU has no derivatives, or if they miss
  /// something that the outputs depend on there.
  template <class Instance>
  std::optional<lti::Matrix> start_derivatives(Instance& instance, const Interface& interface) const {
    const ModelDescription& description = setup_.fmu->description;
    if (!interface.provides_directional_derivatives || instance.mode() != Mode::initialising) return std::nullopt;
    const auto sides = DerivativeSides::of_feedthrough(description, ports_, setup_.connected_inputs);
    if (!outputs_beyond(sides, description, ports_, setup_.connected_inputs).empty()) return std::nullopt;
    for (const int input : setup_.connected_inputs) {
      for (int output = 0; output < static_cast<int>(system::count_reals(ports_.outputs)); ++output) {
        if (feeds_through(output, input, Phase::initialising) && !feeds_through(output, input, Phase::stepping))
          return std::nullopt;
      }
    }
    return linear_model(instance, sides, ports_).D;
  }

  /// Around where a co-simulation stands; none without derivatives of all states.
  template <class Instance>
  std::optional<assembly::LinearModel> linear_by_derivatives(Instance& instance, const Interface& interface) const {
    const DerivativeSides sides(setup_.fmu->description, ports_, structure_of(setup_));
    if (!interface.provides_directional_derivatives || !sides.lists_states) return std::nullopt;
    return assembly::LinearModel{linear_model(instance, sides, ports_), assembly::LinearModel::Origin::linearised};
  }

  assembly::LinearOffer offer_of(const Interface& interface) const {
    return interface.provides_directional_derivatives ? told().offer() : assembly::LinearOffer{};
  }
  template <class Instance>
  bool tell_by_derivatives(Instance& instance, const Arithmetic& arithmetic, const assembly::LinearNumbers& numbers) {
    const ArithmeticGuard guard(arithmetic);
    const CallScope scope(instance.identity().c_str());
    told().tell(instance, numbers);
    return true;
  }
  /// Made when it is asked for, which is rare.
  ToldEquations& told() const {
    if (!told_) {
      const ModelDescription& description = setup_.fmu->description;
      DerivativeSides sides(description, ports_, structure_of(setup_));
      if (!sides.lists_states) sides = DerivativeSides::of_feedthrough(description, ports_, setup_.connected_inputs);
      told_.emplace(std::move(sides), ports_);
    }
    return *told_;
  }

  FmuSetup setup_;
  const Ports& ports_;
  std::string complaint_;
  Observation observation_;
  std::optional<std::vector<int>> wanted_;  // outputs that every step reads; none: all

 private:
  PortBatches some_outputs(const std::vector<int>* some) const {
    return {ports_.output_variables, system::count_reals(ports_.outputs), some};
  }
  static FmuSetup with_ports(FmuSetup setup) {
    if (!setup.ports)
      setup.ports = std::make_shared<const Ports>(ports_of(setup.fmu->description, structure_of(setup)));
    return setup;
  }

  bool is_prepared_ = false;
  mutable std::optional<ToldEquations> told_;
};

}  // namespace seam::fmi
