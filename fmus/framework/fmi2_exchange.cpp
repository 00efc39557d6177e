// FMI 2.0 for model exchange: modes, time, states and events. The signatures are the standard's.
#include "fmus/framework/fmi2_call.hpp"

using namespace seam::fmus;
using namespace seam::fmus::fmi2;

namespace {

fmi2Boolean as_boolean(bool value) { return value ? fmi2True : fmi2False; }

constexpr unsigned computed = initialised & ~in(Phase::step) & ~in(Phase::failed);

}  // namespace

SEAM_FMI2 fmi2Status fmi2EnterEventMode(fmi2Component handle) {
  static const Call call{"fmi2EnterEventMode", in(Phase::event) | in(Phase::continuous), exchange};
  return perform(handle, call, [](Instance& instance) { return instance.enter_events(call); });
}

SEAM_FMI2 fmi2Status fmi2NewDiscreteStates(fmi2Component handle, fmi2EventInfo* told) {
  static const Call call{"fmi2NewDiscreteStates", in(Phase::event), exchange};
  const auto work = [&](Instance& instance) {
    EventReport report;
    const Status status = instance.update_discrete_states(call, report);
    told->newDiscreteStatesNeeded = as_boolean(report.iteration == EventReport::Iteration::goes_on);
    told->terminateSimulation = as_boolean(report.ending == Ending::asks_to_end);
    told->nominalsOfContinuousStatesChanged = fmi2False;
    told->valuesOfContinuousStatesChanged = as_boolean(report.states == EventReport::States::reset);
    told->nextEventTimeDefined = as_boolean(report.next_event.has_value());
    told->nextEventTime = report.next_event.value_or(0.0);
    return status;
  };
  return perform_with(handle, call, work, told);
}

SEAM_FMI2 fmi2Status fmi2EnterContinuousTimeMode(fmi2Component handle) {
  static const Call call{"fmi2EnterContinuousTimeMode", in(Phase::event), exchange};
  return perform(handle, call, [](Instance& instance) { return instance.leave_events(call); });
}

SEAM_FMI2 fmi2Status fmi2CompletedIntegratorStep(fmi2Component handle, fmi2Boolean, fmi2Boolean* event_mode,
                                                 fmi2Boolean* terminate) {
  static const Call call{"fmi2CompletedIntegratorStep", in(Phase::continuous), exchange};
  const auto work = [&](Instance& instance) {
    CompletionReport report;
    const Status status = instance.complete_step(call, report);
    *event_mode = as_boolean(report.wish == CompletionReport::Wish::event_mode);
    *terminate = as_boolean(report.ending == Ending::asks_to_end);
    return status;
  };
  return perform_with(handle, call, work, event_mode, terminate);
}

SEAM_FMI2 fmi2Status fmi2SetTime(fmi2Component handle, fmi2Real t) {
  static const Call call{"fmi2SetTime", in(Phase::event) | in(Phase::continuous), exchange};
  return perform(handle, call, [&](Instance& instance) { return instance.set_time(call, t); });
}

SEAM_FMI2 fmi2Status fmi2SetContinuousStates(fmi2Component handle, const fmi2Real values[], size_t count) {
  static const Call call{"fmi2SetContinuousStates", in(Phase::continuous), exchange};
  const auto work = [&](Instance& instance) { return instance.set_states(call, {values, count}); };
  return perform_with(handle, call, work, needed(values, count));
}

#define SEAM_SHOWN(Function, places)                                                                  \
  SEAM_FMI2 fmi2Status fmi2Get##Function(fmi2Component handle, fmi2Real values[], size_t count) {     \
    static const Call call{"fmi2Get" #Function, computed, exchange};                                  \
    const auto work = [&](Instance& i) { return i.show(call, i.model().places(), {values, count}); }; \
    return perform_with(handle, call, work, needed(values, count));                                   \
  }
SEAM_SHOWN(ContinuousStates, states)
SEAM_SHOWN(Derivatives, derivatives)
SEAM_SHOWN(EventIndicators, event_indicators)

SEAM_FMI2 fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component handle, fmi2Real values[], size_t count) {
  static const Call call{"fmi2GetNominalsOfContinuousStates", computed | in(Phase::instantiated), exchange};
  const auto work = [&](Instance& instance) { return instance.get_nominals(call, {values, count}); };
  return perform_with(handle, call, work, needed(values, count));
}
