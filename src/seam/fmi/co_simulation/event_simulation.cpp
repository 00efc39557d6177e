#include "seam/fmi/co_simulation/event_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"

namespace seam::fmi {

using assembly::In;
using assembly::InputPolynomials;
using assembly::Out;
using assembly::Outcome;
using assembly::Sources;
using assembly::Step;

void EventSimulation::evaluate(double t, Sources /*sources*/, In inputs, Out outputs) {
  if (instance_->mode() != Mode::initialising) {
    const bool concerned = is_concerned(t, inputs);
    exchange(t, inputs, outputs);
    if (!concerned) --events_;  // nothing happened: it was asked
    return;
  }
  const HostGuard guard;
  const CallScope scope(identity_);
  exchange_.set_first(*instance_, driven(t, inputs.data()));
  exchange_.read_first(*instance_);
  exchange_.show(outputs);
}

// FMI 3.0.2, 4.2.1: with event mode, leaving Initialization Mode leads into Event Mode.
void EventSimulation::begin_steps(Out outputs) {
  const HostGuard guard;
  const CallScope scope(identity_);
  clocks_.begin(*instance_, start_);
  instance_->exit_initialisation();
  in_event_ = event_begins_ = instant_begins_ = true;
  pending_ = false;
  exchange_.read(*instance_);
  exchange_.show(outputs);
}

bool EventSimulation::is_concerned(double t, In inputs) {
  if (in_event_ || pending_ || next_event_ <= t + slack(t) || clocks_.is_due(t, slack(t))) return true;
  return exchange_.changed(driven(t, inputs.data())) != nullptr;
}

void EventSimulation::take_part(double t, const double* inputs) {
  if (!in_event_) {
    instance_->enter_event_mode();
    in_event_ = event_begins_ = instant_begins_ = true;
    jumped_ = false;
    ++events_;
  }
  if (std::exchange(event_begins_, false)) clocks_.tick(*instance_, t, slack(t), exchange_.ticking());
  pending_ = false;
  const std::string* changed = exchange_.changed(inputs);
  if (changed) changed_ = changed;
  exchange_.pass_on_ticks(*instance_);
  if (changed || instant_begins_) exchange_.set_all(*instance_, inputs);
  instant_begins_ = false;
  exchange_.read_instant(*instance_);
}

void EventSimulation::exchange(double t, In inputs, Out outputs) {
  const ArithmeticGuard guard(arithmetic_);
  const CallScope scope(identity_);
  take_part(t, driven(t, inputs.data()));
  exchange_.show(outputs);
}

DiscreteUpdate EventSimulation::end_instant() {
  const DiscreteUpdate said = instance_->update();
  jumped_ = jumped_ || said.states_jumped;
  next_event_ = said.next_event;
  wants_to_end_ = wants_to_end_ || said.wants_to_end;
  exchange_.end_instant();
  instant_begins_ = true;
  return said;
}

assembly::DiscretePart::Wish EventSimulation::update() {
  const ArithmeticGuard guard(arithmetic_);
  const CallScope scope(identity_);
  const DiscreteUpdate said = end_instant();
  if (wants_to_end_) {
    complaint_ = fmt::format("{} asked to end the run", identity_);
    return Wish::end_of_run;
  }
  return said.again ? Wish::another_instant : Wish::rest;
}

void EventSimulation::read(Out outputs) {
  const ArithmeticGuard guard(arithmetic_);
  const CallScope scope(identity_);
  exchange_.read_instant(*instance_);
  exchange_.show(outputs);
}

void EventSimulation::leave(double t) {
  const ArithmeticGuard guard(arithmetic_);
  const CallScope scope(identity_);
  end_event(t);
}

void EventSimulation::end_event(double t) {
  exchange_.end_instant();
  clocks_.ask(*instance_, t);
  in_event_ = false;
  if (!wants_to_end_) instance_->enter_step_mode();  // after that wish only Terminate is allowed
}

void EventSimulation::refresh(double t, In inputs, Out outputs) {
  const ArithmeticGuard guard(arithmetic_);
  const CallScope scope(identity_);
  exchange_.set_moving(*instance_, driven(t, inputs.data()));
  exchange_.read(*instance_);
  exchange_.show(outputs);
}

const double* EventSimulation::inputs_at(double t, const Motion& motion) {
  moved_.assign(motion.coefficients, motion.coefficients + motion.width);
  for (int i = 0; motion.degree > 0 && i < motion.width; ++i) moved_[static_cast<std::size_t>(i)] = motion.at(i, t);
  return driven(t, moved_.data());
}

void EventSimulation::set_moving(double t, const Motion& motion) {
  exchange_.set_moving(*instance_, inputs_at(t, motion));
}

/// An event inside a macro step: no other subsystem takes part.
void EventSimulation::handle_event(double t, const Motion& motion) {
  constexpr int most_instants = 100;
  ++inner_events_;
  jumps_.jump();
  take_part(t, inputs_at(t, motion));
  for (int instant = 0; end_instant().again && !wants_to_end_; ++instant) {
    if (instant == most_instants) {
      throw base::Error(base::Failure::subsystem,
                        fmt::format("{} finds no end of the event at {} s: after {} updates of its discrete states it "
                                    "wants another",
                                    identity_, t, most_instants));
    }
    exchange_.read_instant(*instance_);
  }
  exchange_.read_instant(*instance_);
  end_event(t);
}

/// From t to the end or to the next event.
StepToEvent EventSimulation::step_towards(double t, double end, const Motion& motion) {
  const double close = slack(end);
  const double due = std::min(next_event_, clocks_.next());
  const bool shorter = due < end - close && interface_.can_handle_variable_step;
  const double target = shorter ? std::max(due, t) : end;
  if (target <= t + close) return {Outcome::accepted, t, shorter};
  set_moving(t, motion);
  const bool whole = t == motion.begin && target == end;
  StepToEvent result = instance_->step(t, whole ? motion.length : target - t);
  if (result.outcome != Outcome::accepted) return result;
  const bool inside = result.event && result.reached >= t - close && std::abs(result.reached - target) > close;
  if (!inside && std::abs(result.reached - target) > close) note_time(t, target, result.reached);
  if (!inside) result.reached = target;
  result.event = result.event || shorter;
  return result;
}

/// From t to the end, over all events between. One at the end, up to rounding, waits for the communication point.
StepToEvent EventSimulation::cross(double t, double end, const Motion& motion) {
  constexpr int most_events = 100'000;
  if (std::exchange(pending_, false)) {  // where the last call ended, inside a macro step
    handle_event(t, motion);
    if (wants_to_end_) return {Outcome::ended, t, false};
  }
  for (int events = 0; events < most_events; ++events) {
    const StepToEvent result = step_towards(t, end, motion);
    if (result.outcome != Outcome::accepted) return result;
    t = result.reached;
    if (t >= end - slack(end)) {
      pending_ = result.event;
      return result;
    }
    handle_event(t, motion);
    if (wants_to_end_) return {Outcome::ended, t, false};
  }
  throw base::Error(
      base::Failure::subsystem,
      fmt::format("{} had {} events on the way to {} s and does not get past {} s", identity_, most_events, end, t));
}

assembly::DiscretePart::Arrival EventSimulation::advance_to_event(const Step& step, const InputPolynomials& input,
                                                                  Out outputs) {
  const ArithmeticGuard guard(arithmetic_);
  const CallScope scope(identity_);
  const Motion motion{input.coefficients, input.degree, input.width, step.begin, step.length};
  input_mode_.begin(*instance_, motion);
  const double end = step.begin + step.length;
  const StepToEvent result = step_towards(step.begin, end, motion);
  if (result.outcome == Outcome::rejected) return {stop(step, result), result.reached, false};
  pending_ = result.event;
  exchange_.read(*instance_);
  exchange_.show(outputs);
  if (result.outcome != Outcome::accepted) return {stop(step, result), result.reached, false};
  const double close = slack(end);
  const double time = result.reached >= end - close          ? end
                      : result.reached <= step.begin + close ? step.begin
                                                             : result.reached;
  return {Outcome::accepted, time, result.event};
}

/// The first step after which the FMU says it is somewhere else than it was sent, with status OK and without an event.
void EventSimulation::note_time(double from, double to, double reached) {
  if (!oddity_.empty()) return;
  oddity_ = fmt::format(
      "{} reports the time {} s after the step {} s -> {} s, with status OK; its results may be shifted in time",
      identity_, reached, from, to);
}

Outcome EventSimulation::advance(const Step& step, const InputPolynomials& input, Out outputs) {
  const ArithmeticGuard guard(arithmetic_);
  const CallScope scope(identity_);
  const Motion motion{input.coefficients, input.degree, input.width, step.begin, step.length};
  jumps_.begin_call(step);
  input_mode_.begin(*instance_, motion);
  const StepToEvent result = cross(step.begin, step.begin + step.length, motion);
  if (result.outcome == Outcome::rejected) return stop(step, result);
  if (!wants_to_end_) exchange_.read(*instance_);
  exchange_.show(outputs);
  return result.outcome == Outcome::accepted ? Outcome::accepted : stop(step, result);
}

Outcome EventSimulation::stop(const Step& step, const StepToEvent& result) {
  if (result.outcome == Outcome::ended) {
    complaint_ = fmt::format("{} asked to end the run at {} s", identity_, result.reached);
    const double end = step.begin + step.length;
    const bool arrived = std::abs(result.reached - end) <= slack(end);
    return arrived ? Outcome::ended : Outcome::broke_off;
  }
  complaint_ = fmt::format("{} discarded the step {} s -> {} s; it reached {} s\n{}   Try: a smaller --step", identity_,
                           step.begin, step.begin + step.length, result.reached, instance_->messages().last());
  return result.outcome;
}

std::vector<std::string> EventSimulation::remarks() const {
  std::vector<std::string> all;
  if (!oddity_.empty()) all.push_back(oddity_);
  if (events_ > 0) {
    all.push_back(
        fmt::format("{}: {} events in event mode, {} of them inside a step", setup_.name, events_, inner_events_));
  }
  if (const auto merged = exchange_.merged_ticks(); merged > 0) {
    all.push_back(fmt::format(
        "{}: {} ticks of its clocks came together with another, since the sending clock ticked more than once in a "
        "step; take a smaller step, or events: shared",
        setup_.name, merged));
  }
  if (std::string words = input_mode_.words(); !words.empty()) all.push_back(std::move(words));
  return all;
}

}  // namespace seam::fmi
