// The order of steps, events, times and states. What the environment has to do next is remembered in the trace.
#include <algorithm>
#include <cmath>

#include "fmus/strict/rules.hpp"

namespace seam::fmus::rules {
namespace {

Memory& memory_of(Instance& instance) { return instance.model().memory(); }
Trace& trace_of(Instance& instance) { return memory_of(instance).trace; }

/// Times that should be equal are so up to rounding.
double slack(double t) { return 1e-9 * std::max(1.0, std::abs(t)); }

std::int64_t domains_of(Instance& instance) {
  std::int64_t bits = 0;
  for (const int place : instance.model().event_indicators()) {
    const std::size_t offset = instance.model().variables()[static_cast<std::size_t>(place)].offset;
    bits = 2 * bits + (memory_of(instance).reals[offset] > 0.0 ? 1 : 0);
  }
  return bits;
}

/// FMI 2.0.5, 3.2.3, condition 8: without continuous variables time may move on from Event Mode.
bool is_discrete(Instance& instance) {
  const auto& all = instance.model().variables();
  return std::all_of(all.begin(), all.end(), [](const Variable& variable) {
    return variable.causality == Causality::independent || variable.variability != Variability::continuous;
  });
}

/// What was announced comes before time moves on.
bool may_go_on(Instance& instance, const Call& call) {
  if (memory_of(instance).awaits_end) return broken(instance, call, "the FMU had asked for the end of the run");
  if (trace_of(instance).must_enter_events) return broken(instance, call, "an event was not handled");
  return true;
}

}  // namespace

bool may_step(Instance& instance, const Call& call, double t, double h) {
  const Memory& memory = memory_of(instance);
  if (!may_go_on(instance, call)) return false;
  if (!(h > 0.0) || !std::isfinite(h)) return broken(instance, call, "the step size must be more than 0");
  // t_n = t0 + n h and the end of the last step differ by rounding alone.
  if (!(std::abs(t - memory.time) <= 1e-9 * h)) {
    return broken(instance, call,
                  "the step begins at " + number(t) + " s, but the last one ended at " + number(memory.time));
  }
  if (memory.experiment.stop && t + h > *memory.experiment.stop) {
    return broken(instance, call, "the step ends at " + number(t + h) + " s, after the stop time");
  }
  // Who handles events and lets no step return early stops at those that were told.
  const Agreement& agreement = instance.model().agreement;
  const bool stops =
      agreement.events == Agreement::Events::reported && agreement.returns == Agreement::Returns::at_the_end;
  if (stops && memory.next_event && t + h > *memory.next_event + 1e-9 * h) {
    return broken(instance, call, "the time event at " + number(*memory.next_event) + " s would be passed");
  }
  return may_reach(instance, call, t + h);
}

bool may_enter_events(Instance& instance, const Call& call) {
  if (!memory_of(instance).awaits_end) return true;
  return broken(instance, call, "the FMU had asked for the end of the run");
}

// There is no way back behind an event (FMI 2.0.5, 3.2.2; FMI 3.0.2, 3.2.1).
void entered_events(Instance& instance) {
  const double t = memory_of(instance).time;
  Trace& trace = trace_of(instance);
  trace = {.earliest = t, .completed = t, .must_read_states = trace.must_read_states, .domains = trace.domains};
}

bool may_update(Instance& instance, const Call& call) {
  if (memory_of(instance).awaits_end) return broken(instance, call, "the FMU had asked for the end of the run");
  Trace& trace = trace_of(instance);
  std::int64_t bit = 1;
  for (const int clock : instance.model().clocks()) {
    const Variable& variable = instance.model().variables()[static_cast<std::size_t>(clock)];
    const bool periodic = is_periodic(variable.ticking) && instance.model().ticks(clock);
    if (periodic && (trace.ticked & bit)) {
      return broken(instance, call, "\"" + variable.name + "\" ticks twice in one Event Mode");
    }
    if (instance.model().ticks(clock)) trace.ticked |= bit;
    bit *= 2;
  }
  return true;
}

void updated(Instance& instance, const EventReport& report) {
  Trace& trace = trace_of(instance);
  trace.updated = report.iteration == EventReport::Iteration::converged ? 1 : 0;
  const bool exchanged = instance.kind() == Interface::model_exchange;
  if (exchanged && report.states == EventReport::States::reset) trace.must_read_states = 1;
}

bool may_leave_events(Instance& instance, const Call& call) {
  if (memory_of(instance).awaits_end) return broken(instance, call, "the FMU had asked for the end of the run");
  if (!trace_of(instance).updated)
    return broken(instance, call, "the discrete states were not updated, or need it again");
  return clocks_are_done(instance, call);
}

void left_events(Instance& instance) { trace_of(instance).domains = domains_of(instance); }

bool may_set_time(Instance& instance, const Call& call, double t) {
  const Memory& memory = memory_of(instance);
  if (!std::isfinite(t)) return broken(instance, call, "the time is not finite");
  if (memory.phase == Phase::event && !is_discrete(instance)) {
    return broken(instance, call, "in Event Mode, and there are continuous variables");
  }
  if (memory.phase == Phase::event && !memory.trace.updated) {
    return broken(instance, call, "the discrete states were not updated, or need it again");
  }
  if (t < memory.trace.earliest - slack(t)) {
    return broken(instance, call, "back to " + number(t) + " s, behind " + number(memory.trace.earliest));
  }
  if (memory.experiment.stop && t > *memory.experiment.stop + slack(t)) {
    return broken(instance, call, number(t) + " s is after the stop time");
  }
  return t <= memory.time || may_go_on(instance, call);
}

bool may_set_states(Instance& instance, const Call& call) {
  if (!trace_of(instance).must_read_states) return true;
  return broken(instance, call, "the FMU had reset its states, and nobody has read them");
}

bool may_complete(Instance& instance, const Call& call) {
  const Memory& memory = memory_of(instance);
  if (!may_go_on(instance, call)) return false;
  if (memory.time < memory.trace.completed - slack(memory.time)) {
    return broken(instance, call,
                  "the step before ended at " + number(memory.trace.completed) + " s, later than this one");
  }
  if (memory.next_event && memory.time > *memory.next_event + slack(memory.time)) {
    return broken(instance, call, "the time event at " + number(*memory.next_event) + " s was passed");
  }
  return may_reach(instance, call, memory.time);
}

// A step back in time is allowed to the last but one completed step. After a crossed indicator or a
// time event the master enters Event Mode next.
void completed(Instance& instance, const CompletionReport& report) {
  const Memory& memory = memory_of(instance);
  Trace& trace = trace_of(instance);
  trace.earliest = std::max(trace.earliest, trace.completed);
  trace.completed = memory.time;
  const bool wished = report.wish == CompletionReport::Wish::event_mode;
  const bool crossed = domains_of(instance) != trace.domains;
  const bool reached = memory.next_event && memory.time >= *memory.next_event;
  if (wished || crossed || reached) trace.must_enter_events = 1;
}

}  // namespace seam::fmus::rules
