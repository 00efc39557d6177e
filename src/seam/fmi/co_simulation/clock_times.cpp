#include "seam/fmi/co_simulation/clock_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "seam/base/error.hpp"

namespace seam::fmi {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

void require_times(const EventInstance& instance, double interval, double shift) {
  if (interval > 0.0 && shift >= 0.0) return;
  throw base::Error(base::Failure::subsystem,
                    fmt::format("{} has a periodic clock with an interval of {} s and a shift of {} s",
                                instance.identity(), interval, shift));
}

}  // namespace

// The table of 2.2.8.2: a described interval holds; where there is none, the FMU is asked.
ClockTimes::ClockTimes(const ModelDescription& description) {
  for (const Variable& v : description.variables) {
    const std::string& kind = v.clock.interval_variability;
    if (v.type != Type::clock || v.causality != Causality::input || kind == "triggered") continue;
    Clock clock;
    clock.reference = v.value_reference;
    clock.name = v.name;
    clock.kind = kind == "countdown"  ? Kind::countdown
                 : kind == "changing" ? Kind::changing
                 : kind == "tunable"  ? Kind::tunable
                                      : Kind::unchanging;
    clock.described = is_periodic(clock) && v.clock.interval.has_value();
    clock.interval = v.clock.interval.value_or(0.0);
    clock.shift = v.clock.shift.value_or(0.0);
    clocks_.push_back(clock);
  }
}

void ClockTimes::begin(EventInstance& instance, double t0) {
  for (Clock& clock : clocks_) {
    clock.ticks = 0.0;
    clock.ticked = false;
    clock.due = never;
    ClockInterval told{clock.interval, ClockInterval::News::changed};
    if (!clock.described) told = instance.interval(clock.reference);
    const bool known = told.news != ClockInterval::News::not_yet_known;
    clock.interval = told.seconds;
    if (is_periodic(clock)) {
      if (!clock.described) clock.shift = instance.shift(clock.reference);
      require_times(instance, clock.interval, clock.shift);
      clock.due = clock.origin = t0 + clock.shift;
    } else if (known && (clock.kind == Kind::changing || told.news == ClockInterval::News::changed)) {
      clock.due = t0 + clock.interval;
    }
  }
}

double ClockTimes::next() const {
  double first = never;
  for (const Clock& clock : clocks_) first = std::min(first, clock.due);
  return first;
}

void ClockTimes::tick(EventInstance& instance, double t, double slack, std::vector<Reference>& active) {
  for (Clock& clock : clocks_) {
    if (clock.due > t + slack) continue;
    if (clock.due < t - slack) {
      throw base::Error(
          base::Failure::subsystem,
          fmt::format("the clock {} of {} was due at {} s, and the FMU could not stop before {} s\n   Try: a "
                      "step that divides the interval of the clock, since the FMU takes no other step size",
                      clock.name, instance.identity(), clock.due, t));
    }
    instance.tick(clock.reference);
    active.push_back(clock.reference);
    clock.ticked = true;
    clock.ticks += 1.0;
    clock.due = is_periodic(clock) ? clock.origin + clock.ticks * clock.interval : never;
  }
}

void ClockTimes::ask(EventInstance& instance, double t) {
  for (Clock& clock : clocks_) {
    const bool ticked = std::exchange(clock.ticked, false);
    if (clock.described || clock.kind == Kind::unchanging || (clock.kind == Kind::changing && !ticked)) continue;
    const ClockInterval told = instance.interval(clock.reference);
    if (clock.kind == Kind::tunable) {
      if (told.news == ClockInterval::News::not_yet_known || told.seconds == clock.interval) continue;
      require_times(instance, told.seconds, clock.shift);
      const double last = clock.ticks > 0.0 ? clock.origin + (clock.ticks - 1.0) * clock.interval : clock.origin;
      clock.interval = told.seconds;
      clock.origin = last;
      clock.ticks = clock.ticks > 0.0 ? 1.0 : 0.0;
      clock.due = last + clock.ticks * told.seconds;
    } else if (told.news == ClockInterval::News::changed) {
      clock.interval = told.seconds;
      clock.due = t + told.seconds;
    }
  }
}

std::vector<double> ClockTimes::memory() const {
  std::vector<double> numbers;
  for (const Clock& clock : clocks_)
    numbers.insert(numbers.end(), {clock.interval, clock.origin, clock.ticks, clock.due});
  return numbers;
}

void ClockTimes::take(std::span<const double> memory) {
  for (std::size_t i = 0; i < clocks_.size(); ++i) {
    const auto numbers = memory.subspan(i * numbers_a_clock, numbers_a_clock);
    clocks_[i].interval = numbers[0];
    clocks_[i].origin = numbers[1];
    clocks_[i].ticks = numbers[2];
    clocks_[i].due = numbers[3];
    clocks_[i].ticked = false;
  }
}

}  // namespace seam::fmi
