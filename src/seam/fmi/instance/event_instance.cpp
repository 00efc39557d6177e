#include "seam/fmi/instance/event_instance.hpp"

#include <fmt/format.h>

#include <cmath>

#include "seam/formats/number.hpp"

namespace seam::fmi {

EventInstance::EventInstance(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files, Logging logging,
                             const Extras& extras)
    : Instance3(std::move(name), fmu, std::move(files), std::move(logging), extras) {
  library_.require(event_.enter_event_mode, "fmi3EnterEventMode");
  library_.require(event_.update, "fmi3UpdateDiscreteStates");
  library_.require(event_.enter_step_mode, "fmi3EnterStepMode");
  library_.find(event_.get_clock, "fmi3GetClock");
  library_.find(event_.set_clock, "fmi3SetClock");
  library_.find(event_.get_interval, "fmi3GetIntervalDecimal");
  library_.find(event_.get_shift, "fmi3GetShiftDecimal");
}

// FMI 3.0.2, 4.2.1: an FMU that says it returns early has stopped at an event, or because we should look. One that does
// not say so has arrived, even if its solver is behind.
StepToEvent EventInstance::step(double t, double h) {
  Report report;
  const fmi3Status status = call_step(t, h, report);
  const base::Outcome outcome = judge_step(status, t, h, report);
  if (outcome == base::Outcome::rejected) return {outcome, t, false};
  if (report.terminate) return {base::Outcome::ended, report.reached, false};
  if (std::isnan(report.reached) || (report.early && report.reached < t - 1e-9 * h) ||
      report.reached > t + h * (1.0 + 1e-6))
    fail(fmt::format("says that it reached {} s by the step {} s -> {} s", report.reached, t, t + h));
  if (report.early && !(report.reached > t) && !report.event_needed)
    fail(fmt::format("returned at once from the step {} s -> {} s without an event", t, t + h));
  return {outcome, report.reached, report.event_needed || report.early};
}

void EventInstance::enter_event_mode() { call("fmi3EnterEventMode", event_.enter_event_mode); }

DiscreteUpdate EventInstance::update() {
  fmi3Boolean again = false, ends = false, nominals = false, states = false, has_next = false;
  fmi3Float64 next = 0.0;
  call_watch.now_in("fmi3UpdateDiscreteStates");
  finish(event_.update(handle_, &again, &ends, &nominals, &states, &has_next, &next), "fmi3UpdateDiscreteStates",
         [&](Audience) {
           return fmt::format("again={}{}{}", again, ends ? ", terminateSimulation=true" : "",
                              has_next ? ", nextEventTime=" + formats::number_text(next) : "");
         });
  DiscreteUpdate result{again, ends, states};
  if (has_next) result.next_event = next;
  return result;
}

void EventInstance::enter_step_mode() { call("fmi3EnterStepMode", event_.enter_step_mode); }

void EventInstance::tick(Reference clock) {
  require_ability(event_.set_clock, "fmi3SetClock");
  const fmi3Clock active = true;
  call_watch.now_in("fmi3SetClock");
  finish(event_.set_clock(handle_, &clock, 1, &active), "fmi3SetClock", [&](Audience) { return name_of(clock); });
}

bool EventInstance::ticks(Reference clock) {
  require_ability(event_.get_clock, "fmi3GetClock");
  fmi3Clock active = false;
  call_watch.now_in("fmi3GetClock");
  finish(event_.get_clock(handle_, &clock, 1, &active), "fmi3GetClock",
         [&](Audience) { return fmt::format("{}={}", name_of(clock), active); });
  return active;
}

ClockInterval EventInstance::interval(Reference clock) {
  require_ability(event_.get_interval, "fmi3GetIntervalDecimal");
  fmi3Float64 seconds = 0.0;
  fmi3IntervalQualifier qualifier = fmi3IntervalNotYetKnown;
  call_watch.now_in("fmi3GetIntervalDecimal");
  finish(event_.get_interval(handle_, &clock, 1, &seconds, &qualifier), "fmi3GetIntervalDecimal",
         [&](Audience) { return fmt::format("{}={}", name_of(clock), formats::number_text(seconds)); });
  if (qualifier == fmi3IntervalNotYetKnown) return {0.0, ClockInterval::News::not_yet_known};
  if (!std::isfinite(seconds) || seconds < 0.0)
    fail(fmt::format("wants its clock {} to tick after {} s", name_of(clock), seconds));
  return {seconds, qualifier == fmi3IntervalChanged ? ClockInterval::News::changed : ClockInterval::News::unchanged};
}

double EventInstance::shift(Reference clock) {
  if (!event_.get_shift) return 0.0;
  fmi3Float64 seconds = 0.0;
  call_watch.now_in("fmi3GetShiftDecimal");
  finish(event_.get_shift(handle_, &clock, 1, &seconds), "fmi3GetShiftDecimal",
         [&](Audience) { return fmt::format("{}={}", name_of(clock), formats::number_text(seconds)); });
  if (!std::isfinite(seconds) || seconds < 0.0)
    fail(fmt::format("wants its clock {} to be shifted by {} s", name_of(clock), seconds));
  return seconds;
}

}  // namespace seam::fmi
