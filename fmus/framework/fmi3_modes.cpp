// FMI 3.0: Event Mode of both interfaces, and the modes, time and states of model exchange.
#include "fmus/framework/fmi3_call.hpp"

using namespace seam::fmus;
using namespace seam::fmus::fmi3;

namespace {

constexpr unsigned computed = initialised & ~in(Phase::step);

}  // namespace

SEAM_FMI3 fmi3Status fmi3EnterEventMode(fmi3Instance handle) {
  static const Call call{"fmi3EnterEventMode", in(Phase::step) | in(Phase::continuous)};
  return perform(handle, call, [](Instance& instance) {
    const bool exchanged = instance.kind() == Interface::model_exchange;
    if (exchanged || instance.model().agreement.events == Agreement::Events::reported)
      return instance.enter_events(call);
    if (strict) rules::broken(call.name, instance.name(), "the instance was made without event mode");
    return instance.refuse(call.name, "the instance was made without event mode");
  });
}

#define SEAM_CHANGES fmi3Boolean *terminate, fmi3Boolean *nominals_changed, fmi3Boolean *states_changed
#define SEAM_NEXT fmi3Boolean *next_event_defined, fmi3Float64 *next_event
SEAM_FMI3 fmi3Status fmi3UpdateDiscreteStates(fmi3Instance handle, fmi3Boolean* again, SEAM_CHANGES, SEAM_NEXT) {
  static const Call call{"fmi3UpdateDiscreteStates", in(Phase::event)};
  const auto work = [&](Instance& instance) {
    EventReport report;
    const Status status = instance.update_discrete_states(call, report);
    *again = report.iteration == EventReport::Iteration::goes_on;
    *terminate = report.ending == Ending::asks_to_end;
    *nominals_changed = false;
    *states_changed = report.states == EventReport::States::reset;
    *next_event_defined = report.next_event.has_value();
    *next_event = report.next_event.value_or(0.0);
    return status;
  };
  return perform_with(handle, call, work, again, terminate, nominals_changed, states_changed, next_event_defined,
                      next_event);
}

// Without providesEvaluateDiscreteStates the call is ignored (3.0.2, 2.3.5).
SEAM_FMI3 fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance handle) {
  static const Call call{"fmi3EvaluateDiscreteStates", in(Phase::event)};
  return perform(handle, call, [](Instance&) { return Status::ok; });
}

SEAM_FMI3 fmi3Status fmi3EnterStepMode(fmi3Instance handle) {
  static const Call call{"fmi3EnterStepMode", in(Phase::event), simulation};
  return perform(handle, call, [](Instance& instance) { return instance.leave_events(call); });
}

SEAM_FMI3 fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance handle) {
  static const Call call{"fmi3EnterContinuousTimeMode", in(Phase::event), exchange};
  return perform(handle, call, [](Instance& instance) { return instance.leave_events(call); });
}

SEAM_FMI3 fmi3Status fmi3CompletedIntegratorStep(fmi3Instance handle, fmi3Boolean, fmi3Boolean* event_mode,
                                                 fmi3Boolean* terminate) {
  static const Call call{"fmi3CompletedIntegratorStep", in(Phase::continuous), exchange};
  const auto work = [&](Instance& instance) {
    CompletionReport report;
    const Status status = instance.complete_step(call, report);
    *event_mode = report.wish == CompletionReport::Wish::event_mode;
    *terminate = report.ending == Ending::asks_to_end;
    return status;
  };
  return perform_with(handle, call, work, event_mode, terminate);
}

SEAM_FMI3 fmi3Status fmi3SetTime(fmi3Instance handle, fmi3Float64 t) {
  static const Call call{"fmi3SetTime", in(Phase::continuous), exchange};
  return perform(handle, call, [&](Instance& instance) { return instance.set_time(call, t); });
}

SEAM_FMI3 fmi3Status fmi3SetContinuousStates(fmi3Instance handle, const fmi3Float64 values[], size_t count) {
  static const Call call{"fmi3SetContinuousStates", in(Phase::continuous), exchange};
  const auto work = [&](Instance& instance) { return instance.set_states(call, {values, count}); };
  return perform_with(handle, call, work, needed(values, count));
}

#define SEAM_SHOWN(Function, places)                                                                  \
  SEAM_FMI3 fmi3Status fmi3Get##Function(fmi3Instance handle, fmi3Float64 values[], size_t count) {   \
    static const Call call{"fmi3Get" #Function, computed, exchange};                                  \
    const auto work = [&](Instance& i) { return i.show(call, i.model().places(), {values, count}); }; \
    return perform_with(handle, call, work, needed(values, count));                                   \
  }
SEAM_SHOWN(ContinuousStates, states)
SEAM_SHOWN(ContinuousStateDerivatives, derivatives)
SEAM_SHOWN(EventIndicators, event_indicators)

SEAM_FMI3 fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance handle, fmi3Float64 values[], size_t count) {
  static const Call call{"fmi3GetNominalsOfContinuousStates", computed, exchange};
  const auto work = [&](Instance& instance) { return instance.get_nominals(call, {values, count}); };
  return perform_with(handle, call, work, needed(values, count));
}

#define SEAM_NUMBER(Function, places)                                                   \
  SEAM_FMI3 fmi3Status fmi3GetNumberOf##Function(fmi3Instance handle, size_t* number) { \
    constexpr unsigned phases = in(Phase::instantiated) | in(Phase::event);             \
    static const Call call{"fmi3GetNumberOf" #Function, phases, exchange};              \
    const auto work = [&](Instance& instance) {                                         \
      *number = instance.model().places().size();                                       \
      return Status::ok;                                                                \
    };                                                                                  \
    return perform_with(handle, call, work, number);                                    \
  }
SEAM_NUMBER(ContinuousStates, states)
SEAM_NUMBER(EventIndicators, event_indicators)
