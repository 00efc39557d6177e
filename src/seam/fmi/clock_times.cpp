#include "seam/fmi/clock_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "seam/base/error.hpp"

namespace seam::fmi {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

void require_period(const EventInstance& instance, double interval) {
  if (interval > 0.0) return;
  throw base::Error(base::Failure::subsystem,
                    fmt::format("{} has a periodic clock with an interval of {} s", instance.identity(), interval));
}

}  // namespace

ClockTimes::ClockTimes(const ModelDescription& description) {
  for (const Variable& v : description.variables) {
    const std::string& kind = v.clock.interval_variability;
    if (v.type != Type::clock || v.causality != Causality::input || kind == "triggered") continue;
    Clock clock;
    clock.reference = v.value_reference;
    clock.kind = kind == "countdown"  ? Kind::countdown
                 : kind == "changing" ? Kind::changing
                 : kind == "tunable"  ? Kind::tunable
                                      : Kind::unchanging;
    clock.described = (kind == "constant" || kind == "fixed") && v.clock.interval.has_value();
    clock.interval = v.clock.interval.value_or(0.0);
    clock.origin = v.clock.shift.value_or(0.0);
    clocks_.push_back(clock);
  }
}

void ClockTimes::begin(EventInstance& instance, double t0) {
  for (Clock& clock : clocks_) {
    clock.ticks = 0.0;
    clock.ticked = false;
    clock.due = never;
    if (clock.kind == Kind::countdown) continue;
    if (!clock.described) {
      const ClockInterval told = instance.interval(clock.reference);
      if (told.news != ClockInterval::News::not_yet_known) clock.interval = told.seconds;
    }
    if (is_periodic(clock)) {
      require_period(instance, clock.interval);
      clock.origin = t0 + (clock.described ? clock.origin : instance.shift(clock.reference));
      clock.due = clock.origin;
    } else if (clock.interval > 0.0) {
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
    if (clock.kind == Kind::unchanging || (clock.kind == Kind::changing && !ticked)) continue;
    const ClockInterval told = instance.interval(clock.reference);
    if (clock.kind == Kind::tunable) {
      if (told.news == ClockInterval::News::not_yet_known || told.seconds == clock.interval) continue;
      require_period(instance, told.seconds);
      const double last = clock.ticks > 0.0 ? clock.origin + (clock.ticks - 1.0) * clock.interval : clock.origin;
      const double first_is_due = clock.ticks > 0.0 ? 1.0 : 0.0;
      clock = {
          clock.reference, clock.kind, false, told.seconds, last, first_is_due, last + first_is_due * told.seconds};
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
