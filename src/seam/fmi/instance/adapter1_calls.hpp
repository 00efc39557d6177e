// The functions of FMI 2 made of those of FMI 1.0. Inside adapter1 only.
#pragma once

#include <span>
#include <vector>

#include "seam/fmi/instance/adapter1_component.hpp"
#include "seam/fmi/instance/call_watch.hpp"

namespace seam::fmi::adapter1 {

inline Component& of(fmi2Component component) { return *static_cast<Component*>(component); }
inline fmi2Status as2(fmiStatus status) { return static_cast<fmi2Status>(status); }
inline fmiBoolean as1(fmi2Boolean boolean) { return boolean != fmi2False ? fmiTrue : fmiFalse; }

// Values. A negated alias has the value of its reference with the other sign.

/// The numbers as the FMU knows them.
template <class C>
const C* with_its_sign(const Component& c, std::span<const fmi2ValueReference> given, const C* values,
                       std::vector<C>& room) {
  if (!c.has_negated()) return values;
  room.assign(values, values + given.size());
  c.negate(given.data(), given.size(), room.data());
  return room.data();
}

template <class C>
fmi2Status get_numbers(Component& c, const FmuFunction<Getter<C>>& function, const fmi2ValueReference* given,
                       std::size_t count, C* values) {
  const fmiStatus status = function(c.own, c.known(given, count), count, values);
  if (c.has_negated()) c.negate(given, count, values);
  return as2(status);
}

inline fmi2Status set_real(fmi2Component component, const fmi2ValueReference* given, std::size_t count,
                           const fmi2Real* values) {
  call_watch.now_in("fmiSetReal");
  Component& c = of(component);
  c.touch();
  const auto* const numbers = with_its_sign(c, {given, count}, values, c.reals);
  return as2(c.call.set_real(c.own, c.known(given, count), count, numbers));
}
inline fmi2Status get_real(fmi2Component component, const fmi2ValueReference* given, std::size_t count,
                           fmi2Real* values) {
  call_watch.now_in("fmiGetReal");
  Component& c = of(component);
  return get_numbers(c, c.call.get_real, given, count, values);
}
inline fmi2Status set_integer(fmi2Component component, const fmi2ValueReference* given, std::size_t count,
                              const fmi2Integer* values) {
  call_watch.now_in("fmiSetInteger");
  Component& c = of(component);
  c.touch();
  const auto* const numbers = with_its_sign(c, {given, count}, values, c.integers);
  return as2(c.call.set_integer(c.own, c.known(given, count), count, numbers));
}
inline fmi2Status get_integer(fmi2Component component, const fmi2ValueReference* given, std::size_t count,
                              fmi2Integer* values) {
  call_watch.now_in("fmiGetInteger");
  Component& c = of(component);
  return get_numbers(c, c.call.get_integer, given, count, values);
}

// A Boolean of FMI 1.0 is a char, and the negated alias of one is its opposite.
inline fmi2Status set_boolean(fmi2Component component, const fmi2ValueReference* given, std::size_t count,
                              const fmi2Boolean* values) {
  call_watch.now_in("fmiSetBoolean");
  Component& c = of(component);
  c.touch();
  c.booleans.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    c.booleans[i] = static_cast<fmiBoolean>(as1(values[i]) != (c.is_negated(given[i]) ? 1 : 0));
  return as2(c.call.set_boolean(c.own, c.known(given, count), count, c.booleans.data()));
}
inline fmi2Status get_boolean(fmi2Component component, const fmi2ValueReference* given, std::size_t count,
                              fmi2Boolean* values) {
  call_watch.now_in("fmiGetBoolean");
  Component& c = of(component);
  c.booleans.resize(count);
  const fmiStatus status = c.call.get_boolean(c.own, c.known(given, count), count, c.booleans.data());
  for (std::size_t i = 0; i < count; ++i) values[i] = (c.booleans[i] != fmiFalse) != c.is_negated(given[i]) ? 1 : 0;
  return as2(status);
}
inline fmi2Status set_string(fmi2Component component, const fmi2ValueReference* given, std::size_t count,
                             const fmi2String* values) {
  call_watch.now_in("fmiSetString");
  Component& c = of(component);
  c.touch();
  return as2(c.call.set_string(c.own, c.known(given, count), count, values));
}
inline fmi2Status get_string(fmi2Component component, const fmi2ValueReference* given, std::size_t count,
                             fmi2String* values) {
  call_watch.now_in("fmiGetString");
  Component& c = of(component);
  return as2(c.call.get_string(c.own, c.known(given, count), count, values));
}

// Both interfaces.

inline fmi2Status set_debug_logging(fmi2Component component, fmi2Boolean on, std::size_t, const fmi2String*) {
  call_watch.now_in("fmiSetDebugLogging");
  Component& c = of(component);
  return c.call.set_debug_logging ? as2(c.call.set_debug_logging(c.own, as1(on))) : fmi2Discard;
}

/// FMI 1.0 has no Initialization Mode: one call initialises, and behind it inputs may be set and outputs read.
#define SEAM_EXPERIMENT fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop
inline fmi2Status setup_experiment(fmi2Component component, SEAM_EXPERIMENT, fmi2Real stop) {
  Component& c = of(component);
  if (c.purpose == Purpose::stepping) {
    call_watch.now_in("fmiInitializeSlave");
    return as2(c.call.initialize_slave(c.own, start, as1(has_stop), stop));
  }
  call_watch.now_in("fmiSetTime");
  if (const fmiStatus status = c.call.set_time(c.own, start); status > fmiWarning) return as2(status);
  call_watch.now_in("fmiInitialize");
  c.first_event = std::make_unique<fmiEventInfo>();
  c.moved = false;
  return as2(c.call.initialize(c.own, as1(has_tolerance), tolerance, c.first_event.get()));
}
#undef SEAM_EXPERIMENT
inline fmi2Status nothing_to_do(fmi2Component) { return fmi2OK; }

inline fmi2Status terminate(fmi2Component component) {
  Component& c = of(component);
  call_watch.now_in(c.purpose == Purpose::stepping ? "fmiTerminateSlave" : "fmiTerminate");
  return as2(c.call.terminate(c.own));
}

// Co-simulation.

/// Steps are never made again, since FMI 1.0 saves no state: each is a new one.
inline fmi2Status do_step(fmi2Component component, fmi2Real time, fmi2Real step, fmi2Boolean) {
  call_watch.now_in("fmiDoStep");
  Component& c = of(component);
  return as2(c.call.do_step(c.own, time, step, fmiTrue));
}
inline fmi2Status get_real_status(fmi2Component component, fmi2StatusKind kind, fmi2Real* value) {
  call_watch.now_in("fmiGetRealStatus");
  Component& c = of(component);
  if (!c.call.get_real_status || kind != fmi2LastSuccessfulTime) return fmi2Discard;
  return as2(c.call.get_real_status(c.own, fmiLastSuccessfulTime, value));
}
inline fmi2Status set_input_derivatives(fmi2Component component, const fmi2ValueReference* given, std::size_t count,
                                        const fmi2Integer* orders, const fmi2Real* values) {
  call_watch.now_in("fmiSetRealInputDerivatives");
  Component& c = of(component);
  const auto* const numbers = with_its_sign(c, {given, count}, values, c.reals);
  return as2(c.call.input_derivatives(c.own, c.known(given, count), count, orders, numbers));
}
inline fmi2Status get_output_derivatives(fmi2Component component, const fmi2ValueReference* given, std::size_t count,
                                         const fmi2Integer* orders, fmi2Real* values) {
  call_watch.now_in("fmiGetRealOutputDerivatives");
  Component& c = of(component);
  const fmiStatus status = c.call.output_derivatives(c.own, c.known(given, count), count, orders, values);
  c.negate(given, count, values);
  return as2(status);
}

// Model exchange. Events need no mode: fmiEventUpdate is called where one is.

inline fmi2Status set_time(fmi2Component component, fmi2Real time) {
  call_watch.now_in("fmiSetTime");
  Component& c = of(component);
  c.moved = true;
  return as2(c.call.set_time(c.own, time));
}
inline fmi2Status set_states(fmi2Component component, const fmi2Real* states, std::size_t count) {
  call_watch.now_in("fmiSetContinuousStates");
  Component& c = of(component);
  c.moved = true;
  return as2(c.call.set_states(c.own, states, count));
}
inline fmi2Status get_states(fmi2Component component, fmi2Real* states, std::size_t count) {
  call_watch.now_in("fmiGetContinuousStates");
  Component& c = of(component);
  return as2(c.call.get_states(c.own, states, count));
}
inline fmi2Status get_derivatives(fmi2Component component, fmi2Real* derivatives, std::size_t count) {
  call_watch.now_in("fmiGetDerivatives");
  Component& c = of(component);
  return as2(c.call.get_derivatives(c.own, derivatives, count));
}
inline fmi2Status get_indicators(fmi2Component component, fmi2Real* indicators, std::size_t count) {
  call_watch.now_in("fmiGetEventIndicators");
  Component& c = of(component);
  return as2(c.call.get_indicators(c.own, indicators, count));
}
inline fmi2Status get_nominals(fmi2Component component, fmi2Real* nominals, std::size_t count) {
  call_watch.now_in("fmiGetNominalContinuousStates");
  Component& c = of(component);
  return as2(c.call.get_nominals(c.own, nominals, count));
}
inline fmi2Status completed_step(fmi2Component component, fmi2Boolean, fmi2Boolean* enter_event_mode,
                                 fmi2Boolean* terminates) {
  call_watch.now_in("fmiCompletedIntegratorStep");
  Component& c = of(component);
  fmiBoolean event = fmiFalse;
  c.moved = false;
  const fmiStatus status = c.call.completed_step(c.own, &event);
  *enter_event_mode = event != fmiFalse ? fmi2True : fmi2False;
  *terminates = fmi2False;
  return as2(status);
}

/// Right behind a completed integrator step, as the states of FMI 1.0 want it; the FMU iterates by itself.
inline fmi2Status update_event(Component& c, fmiEventInfo& said) {
  fmi2Boolean event = fmi2False, terminates = fmi2False;
  if (c.moved) {
    if (const fmi2Status status = completed_step(&c, fmi2True, &event, &terminates); status > fmi2Warning)
      return status;
  }
  call_watch.now_in("fmiEventUpdate");
  return as2(c.call.event_update(c.own, fmiFalse, &said));
}

/// The event of the start is part of fmiInitialize, unless inputs were set since.
inline fmi2Status new_discrete_states(fmi2Component component, fmi2EventInfo* report) {
  Component& c = of(component);
  fmiEventInfo said{};
  fmi2Status status = fmi2OK;
  if (c.first_event && c.first_event->iterationConverged != fmiFalse) {
    said = *c.first_event;
  } else {
    status = update_event(c, said);
  }
  c.first_event.reset();
  const auto flag = [](fmiBoolean value) { return value != fmiFalse ? fmi2True : fmi2False; };
  *report = {said.iterationConverged != fmiFalse ? fmi2False : fmi2True,
             flag(said.terminateSimulation),
             flag(said.stateValueReferencesChanged),  // other states have other nominals
             flag(said.stateValuesChanged),
             flag(said.upcomingTimeEvent),
             said.nextEventTime};
  return status;
}

}  // namespace seam::fmi::adapter1
