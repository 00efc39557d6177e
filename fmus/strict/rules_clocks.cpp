// Clocks: FMI 3.0.2, 2.2.8 and 2.3.5.
#include <cmath>

#include "fmus/strict/rules.hpp"

namespace seam::fmus::rules {
namespace {

std::string quoted(const Variable& clock) { return "\"" + clock.name + "\""; }

double slack(double t) { return 1e-9 * std::max(1.0, std::abs(t)); }

const Variable& variable_at(Instance& instance, int place) {
  return instance.model().variables()[static_cast<std::size_t>(place)];
}

std::int64_t bit_of(Instance& instance, const Variable& clock) {
  std::int64_t bit = 1;
  for (const int place : instance.model().clocks()) {
    if (&variable_at(instance, place) == &clock) break;
    bit *= 2;
  }
  return bit;
}

}  // namespace

bool may_set_clock(Instance& instance, const Call& call, const Variable& clock, bool active) {
  if (!is_input(clock)) return broken(instance, call, quoted(clock) + " is no input clock");
  if (!active) {
    return clock.can_be_deactivated || broken(instance, call, quoted(clock) + " cannot be taken back");
  }
  if (clock.ticking == Ticking::triggered) return true;
  const double due = instance.model().time_of(instance.model().place(clock)).due;
  const double now = instance.model().memory().time;
  if (std::abs(now - due) <= slack(now)) return true;
  return broken(instance, call, quoted(clock) + " ticks at " + number(now) + " s, but is due at " + number(due));
}

// The table of clock types (2.2.8.2): who may ask what when.
bool may_ask_clock(Instance& instance, const Call& call, const Variable& clock, Instance::Timing timing) {
  if (!is_input(clock) || clock.ticking == Ticking::triggered) {
    return broken(instance, call, quoted(clock) + " has no times of its own");
  }
  const bool periodic = is_periodic(clock.ticking);
  if (timing == Instance::Timing::shift && !periodic) return broken(instance, call, quoted(clock) + " has no shift");
  const std::int64_t bit = bit_of(instance, clock);
  Trace& trace = instance.model().memory().trace;
  trace.asked |= bit;
  if (instance.phase() == Phase::initialization) return true;
  const bool fixed = clock.ticking == Ticking::constant || clock.ticking == Ticking::fixed;
  if (fixed) return broken(instance, call, quoted(clock) + " does not change its interval");
  if (clock.ticking == Ticking::changing && !(trace.ticked & bit)) {
    return broken(instance, call, quoted(clock) + " has not ticked since its interval was told");
  }
  return true;
}

bool may_tell_clock(Instance& instance, const Call& call, const Variable& clock, double value) {
  const bool told = (clock.ticking == Ticking::fixed || clock.ticking == Ticking::tunable) && !clock.interval.empty();
  if (!told) return broken(instance, call, quoted(clock) + " cannot be told when to tick");
  if (instance.phase() == Phase::event && clock.ticking == Ticking::fixed) {
    return broken(instance, call, quoted(clock) + " is fixed after initialisation");
  }
  return value >= 0.0 || broken(instance, call, quoted(clock) + " cannot tick after " + number(value) + " s");
}

bool may_reach(Instance& instance, const Call& call, double t) {
  for (const int place : instance.model().clocks()) {
    const Variable& clock = variable_at(instance, place);
    if (clock.ticking == Ticking::triggered) continue;
    const double due = instance.model().time_of(place).due;
    if (due < t - slack(t)) return broken(instance, call, quoted(clock) + " was due at " + number(due) + " s");
  }
  return true;
}

// After Event Mode no clock ticks, and the intervals that have to be asked for were.
bool clocks_are_done(Instance& instance, const Call& call) {
  const Trace& trace = instance.model().memory().trace;
  for (const int place : instance.model().clocks()) {
    const Variable& clock = variable_at(instance, place);
    const std::int64_t bit = bit_of(instance, clock);
    if (is_input(clock) && instance.model().ticks(place)) {
      return broken(instance, call, quoted(clock) + " ticks, and discrete states were not updated");
    }
    const bool ask =
        clock.ticking == Ticking::countdown || (clock.ticking == Ticking::changing && (trace.ticked & bit));
    if (ask && !(trace.asked & bit)) {
      return broken(instance, call, "the interval of " + quoted(clock) + " was not asked for");
    }
    const double now = instance.model().memory().time;
    if (clock.ticking != Ticking::triggered && instance.model().time_of(place).due < now + slack(now)) {
      return broken(instance, call, quoted(clock) + " is due and has not ticked");
    }
  }
  return true;
}

}  // namespace seam::fmus::rules
