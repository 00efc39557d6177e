// One instance of an FMU for model exchange: its modes, its continuous states, its events.
#pragma once

#include <limits>
#include <optional>

#include "seam/fmi/instance/instance2.hpp"
#include "seam/fmi/instance/instance3.hpp"

namespace seam::fmi {

/// What an FMU says when an event has been dealt with.
struct EventReport {
  bool nominals_changed = false;
  bool wants_to_end = false;
  double next_event = std::numeric_limits<double>::infinity();  ///< s
};

/// What an FMU says after a step of the integrator.
struct IntegratorReport {
  bool needs_event = false;
  bool wants_to_end = false;
};

struct Exchange2 : Api2 {
  using Base = Instance2;
  using Update = fmi2NewDiscreteStatesTYPE;
  static constexpr auto enter_event_mode = "fmi2EnterEventMode";
  static constexpr auto update = "fmi2NewDiscreteStates";
  static constexpr auto enter_continuous_time_mode = "fmi2EnterContinuousTimeMode";
  static constexpr auto completed_step = "fmi2CompletedIntegratorStep";
  static constexpr auto set_time = "fmi2SetTime";
  static constexpr auto set_states = "fmi2SetContinuousStates";
  static constexpr auto get_states = "fmi2GetContinuousStates";
  static constexpr auto get_derivatives = "fmi2GetDerivatives";
  static constexpr auto get_indicators = "fmi2GetEventIndicators";
  static constexpr auto get_nominals = "fmi2GetNominalsOfContinuousStates";
};

struct Exchange3 : Api3 {
  using Base = Instance3;
  using Update = fmi3UpdateDiscreteStatesTYPE;
  static constexpr auto enter_event_mode = "fmi3EnterEventMode";
  static constexpr auto update = "fmi3UpdateDiscreteStates";
  static constexpr auto enter_continuous_time_mode = "fmi3EnterContinuousTimeMode";
  static constexpr auto completed_step = "fmi3CompletedIntegratorStep";
  static constexpr auto set_time = "fmi3SetTime";
  static constexpr auto set_states = "fmi3SetContinuousStates";
  static constexpr auto get_states = "fmi3GetContinuousStates";
  static constexpr auto get_derivatives = "fmi3GetContinuousStateDerivatives";
  static constexpr auto get_indicators = "fmi3GetEventIndicators";
  static constexpr auto get_nominals = "fmi3GetNominalsOfContinuousStates";
};

/// Legal order: as for co-simulation until exit_initialisation, which leads into Event Mode. States are set in
/// Continuous-Time Mode alone, discrete inputs in Event Mode alone.
template <class Api>
class ExchangeInstance final : public Api::Base {
 public:
  using Extras = typename Api::Base::Extras;

  ExchangeInstance(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files, Logging logging,
                   const Extras& extras);

  struct Sizes {
    std::size_t states = 0, indicators = 0;
  };
  /// After structural parameters have been set. Asked of the FMU once, before Initialization Mode.
  Sizes sizes();
  void enter_initialisation(const Experiment& experiment) {
    sizes();
    Api::Base::enter_initialisation(experiment);
  }

  void enter_event_mode() { ask(Api::enter_event_mode, exchange_.enter_event_mode); }
  struct Update {
    bool again = false;
    EventReport report;
  };
  /// One round of new discrete states.
  Update update();
  /// Such rounds until nothing changes any more.
  EventReport settle();
  void enter_continuous_time_mode() { ask(Api::enter_continuous_time_mode, exchange_.enter_continuous_time_mode); }

  void set_time(double t);
  /// These three answer `discard` where the FMU cannot be evaluated: a shorter step may do.
  Severity set_states(std::span<const double> x) { return transfer(exchange_.set_states, Api::set_states, x); }
  Severity derivatives(std::span<double> dx) { return transfer(exchange_.get_derivatives, Api::get_derivatives, dx); }
  Severity indicators(std::span<double> z) { return transfer(exchange_.get_indicators, Api::get_indicators, z); }
  void states(std::span<double> x);
  /// What is no positive number counts as 1.
  void nominals(std::span<double> values);

  bool wants_completed_steps() const { return this->interface_.needs_completed_integrator_step; }
  IntegratorReport completed_step();
  bool offers_derivatives() const { return this->interface_.provides_directional_derivatives; }

 private:
  using Boolean = typename Api::Boolean;
  using Status = typename Api::Status;
  struct Functions {
    FmuFunction<Status(void*, double)> set_time;
    FmuFunction<Status(void*, const double*, std::size_t)> set_states;
    FmuFunction<Status(void*, double*, std::size_t)> get_derivatives;
    FmuFunction<Status(void*, double*, std::size_t)> get_indicators;
    FmuFunction<Status(void*, double*, std::size_t)> get_states;
    FmuFunction<Status(void*, double*, std::size_t)> get_nominals;
    FmuFunction<Status(void*, Boolean, Boolean*, Boolean*)> completed_step;
    FmuFunction<Status(void*)> enter_event_mode;
    FmuFunction<Status(void*)> enter_continuous_time_mode;
    FmuFunction<typename Api::Update> update;
  };
  Sizes counted();
  void after(Status status, const char* function);
  Severity judged(Status status, const char* function);
  template <class Function, class... Arguments>
  void ask(const char* name, const Function& function, Arguments... arguments) {
    call_watch.now_in(name);
    after(function(this->handle_, arguments...), name);
  }
  template <class Function, class Number>
  Severity transfer(const Function& function, const char* name, std::span<Number> numbers) {
    if (numbers.empty()) return Severity::ok;
    this->require_ability(function, name);
    call_watch.now_in(name);
    return judged(function(this->handle_, numbers.data(), numbers.size()), name);
  }

  Functions exchange_{};
  std::optional<Sizes> sizes_;
  double time_ = 0.0;
};

}  // namespace seam::fmi
