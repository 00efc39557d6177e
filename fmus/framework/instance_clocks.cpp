// Intervals and shifts of clocks.
#include <cmath>

#include "fmus/framework/instance.hpp"
#include "fmus/strict/rules.hpp"

namespace seam::fmus {

Status Instance::get_timing(const Call& call, Timing timing, References references, double* values,
                            Qualifier* qualifiers) {
  refresh();
  for (std::size_t i = 0; i < references.size(); ++i) {
    const Variable* clock = find(call, Type::clock, references[i]);
    if (!clock || (strict && !rules::may_ask_clock(*this, call, *clock, timing))) return Status::error;
    ClockTime& time = model_->time_of(model_->place(*clock));
    values[i] = timing == Timing::interval ? time.interval : time.shift;
    if (!qualifiers) continue;
    qualifiers[i] = time.news != 0 ? Qualifier::changed : Qualifier::unchanged;
    if (std::isinf(time.interval)) {
      values[i] = 0.0;
      qualifiers[i] = Qualifier::not_yet_known;
    }
    time.news = 0;
  }
  return Status::ok;
}

Status Instance::set_timing(const Call& call, Timing timing, References references, const double* values) {
  for (std::size_t i = 0; i < references.size(); ++i) {
    const Variable* clock = find(call, Type::clock, references[i]);
    if (!clock || (strict && !rules::may_tell_clock(*this, call, *clock, values[i]))) return Status::error;
    const bool settable = clock->ticking == Ticking::fixed || clock->ticking == Ticking::tunable;
    if (!settable || clock->interval.empty()) return refuse(call.name, "this clock cannot be told when to tick");
    ClockTime& time = model_->time_of(model_->place(*clock));
    if (timing == Timing::shift) {
      time.shift = values[i];
    } else {
      time.interval = values[i];
      if (time.ticks > 0) time.due = time.last + time.interval;
    }
    model_->memory().stale = true;
  }
  return Status::ok;
}

}  // namespace seam::fmus
