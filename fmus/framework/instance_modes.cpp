// Event Mode, and what model exchange does with time and states.
#include <algorithm>
#include <cmath>

#include "fmus/framework/instance.hpp"
#include "fmus/strict/rules.hpp"

namespace seam::fmus {

Status Instance::enter_events(const Call& call) {
  if (strict && !rules::may_enter_events(*this, call)) return Status::error;
  refresh();
  enter(Phase::event);
  model_->memory().stale = true;
  if (strict) rules::entered_events(*this);
  return Status::ok;
}

Status Instance::update_discrete_states(const Call& call, EventReport& report) {
  if (strict && !rules::may_update(*this, call)) return Status::error;
  refresh();
  report = model_->update();
  model_->stop_clocks();
  Memory& memory = model_->memory();
  memory.next_event = report.next_event;
  memory.awaits_end = report.ending == Ending::asks_to_end;
  memory.stale = true;
  if (strict) rules::updated(*this, report);
  return Status::ok;
}

Status Instance::leave_events(const Call& call) {
  if (strict && !rules::may_leave_events(*this, call)) return Status::error;
  refresh();
  enter(kind_ == Interface::model_exchange ? Phase::continuous : Phase::step);
  if (strict) rules::left_events(*this);
  return Status::ok;
}

Status Instance::set_time(const Call& call, double t) {
  if (strict && !rules::may_set_time(*this, call, t)) return Status::error;
  const std::optional<double>& stop = model_->memory().experiment.stop;
  if (stop && t > *stop + 1e-9 * std::max(1.0, std::abs(*stop)))
    return refuse(call.name, "this is after the stop time");
  model_->set_time(t);
  model_->memory().stale = true;
  return Status::ok;
}

Status Instance::set_states(const Call& call, std::span<const double> values) {
  Memory& memory = model_->memory();
  if (values.size() != memory.states.size()) return refuse(call.name, "the number of states is another");
  if (strict && !rules::may_set_states(*this, call)) return Status::error;
  std::copy(values.begin(), values.end(), memory.states.begin());
  memory.stale = true;
  return Status::ok;
}

Status Instance::show(const Call& call, const std::vector<int>& places, std::span<double> values) {
  if (values.size() != places.size()) return refuse(call.name, "the number of values is another");
  refresh();
  const auto value = [&](int place) {
    return model_->memory().reals[model_->variables()[static_cast<std::size_t>(place)].offset];
  };
  std::transform(places.begin(), places.end(), values.begin(), value);
  if (&places == &model_->states()) model_->memory().trace.must_read_states = 0;
  return Status::ok;
}

Status Instance::get_nominals(const Call& call, std::span<double> values) {
  if (values.size() != model_->states().size()) return refuse(call.name, "the number of states is another");
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = model_->nominal_of_state(i);
  return Status::ok;
}

Status Instance::complete_step(const Call& call, CompletionReport& report) {
  if (strict && !rules::may_complete(*this, call)) return Status::error;
  refresh();
  report = model_->complete_step();
  model_->memory().awaits_end = report.ending == Ending::asks_to_end;
  if (strict) rules::completed(*this, report);
  return Status::ok;
}

}  // namespace seam::fmus
