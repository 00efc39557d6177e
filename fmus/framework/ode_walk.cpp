#include "fmus/framework/ode_walk.hpp"

#include <algorithm>
#include <stdexcept>

namespace seam::fmus {

// No time may lie behind the end of the step (FMI 3.0.2, 4.2.2), not even by rounding.
double OdeModel::AskedInput::at(double t) const {
  const Moment moment{std::min(t, end_)};
  if (moment.time != model_.asked_at_) model_.ask(moment);
  return model_.real(place_);
}

// Times of events and of communication points that should be equal are so up to rounding.
OdeModel::Walk::Walk(OdeModel& model, double t, double h)
    : model_(model), begin_(t), length_(h), end_(t + h), slack_(1e-9 * h), signal_(model.signal_of(t, h)) {
  if (!model.agreement.intermediate_update) return;
  const std::vector<int>& inputs = model.agreement.intermediate_inputs;
  asked_.reserve(inputs.size());
  for (const int place : inputs) {
    asked_.emplace_back(model, place, end_);
    driven_.push_back({place - model.first_input_, &asked_.back()});
  }
  signal_.driven = driven_;
}

StepReport OdeModel::Walk::cross(int steps) {
  report_ = {.reached = end_};
  look({begin_, Moment::Solution::accepted});
  Course course = Course::goes_on;
  if (model_.event_due() || time_event_at(begin_)) course = meet(begin_);
  for (int i = 0; i < steps && course == Course::goes_on; ++i) {
    const double end = i + 1 == steps ? end_ : begin_ + length_ * (i + 1) / steps;
    course = step_over(begin_ + length_ * i / steps, end);
  }
  return report_;
}

OdeModel::Walk::Course OdeModel::Walk::step_over(double begin, double end) {
  double now = begin;
  while (now < end) {
    const std::vector<double> states = model_.memory().states;
    double target = next_halt(end);
    move(now, target);
    if (event_at(target)) target = find_event(now, target, states);
    now = target;
    look({now, Moment::Solution::accepted});
    if ((model_.event_due() || time_event_at(now)) && meet(now) == Course::stops) return Course::stops;
  }
  return complete(end);
}

double OdeModel::Walk::next_halt(double end) const {
  const std::optional<double>& next = model_.memory().next_event;
  return next && *next < end - slack_ ? *next : end;
}

bool OdeModel::Walk::time_event_at(double t) const {
  const std::optional<double>& next = model_.memory().next_event;
  return next && *next <= t + slack_;
}

void OdeModel::Walk::move(double from, double to) {
  if (model_.solve_ && !model_.rests()) model_.solve_->advance(from, to - from, 1, signal_, model_.memory().states);
}

void OdeModel::Walk::look(const Moment& moment) {
  model_.set_time(moment.time);
  if (model_.agreement.intermediate_update) {
    model_.ask(moment);
  } else {
    signal_.polynomials.at(signal_.theta(moment.time), model_.inputs());
  }
  model_.evaluate();
}

bool OdeModel::Walk::event_at(double t) {
  if (model_.event_indicators().empty()) return false;
  look({t, Moment::Solution::tentative});
  return model_.event_due();
}

// Bisection: the last time known to be before the event, and the first known to be after it.
double OdeModel::Walk::find_event(double from, double to, const std::vector<double>& begin) {
  std::vector<double>& states = model_.memory().states;
  double before = from, after = to;
  while (true) {
    const double middle = before + 0.5 * (after - before);
    if (!(before < middle && middle < after) || after - before <= 1e-15 * length_) break;
    states = begin;
    move(from, middle);
    (event_at(middle) ? after : before) = middle;
  }
  states = begin;
  move(from, after);
  return after;
}

// An event is reported where the step may stop: at its end, or anywhere if it may return early (FMI 3.0.2, 4.2.1).
OdeModel::Walk::Course OdeModel::Walk::meet(double t) {
  const bool last = t >= end_ - slack_;
  const bool may_stop = last || model_.agreement.returns == Agreement::Returns::early;
  if (model_.agreement.events == Agreement::Events::reported && may_stop) {
    report_.event = StepReport::Event::awaits_handling;
    report_.reached = last ? end_ : t;
    report_.arrival = last ? StepReport::Arrival::as_asked : StepReport::Arrival::early;
    return Course::stops;
  }
  constexpr int most_events = 100000;
  if (++events_ > most_events) throw std::runtime_error("too many events in one step");
  return model_.settle().ending == Ending::asks_to_end ? end_run(t) : Course::goes_on;
}

OdeModel::Walk::Course OdeModel::Walk::complete(double t) {
  if (!model_.watches_steps_) return Course::goes_on;
  const CompletionReport wanted = model_.complete_step();
  if (wanted.ending == Ending::asks_to_end) return end_run(t);
  return wanted.wish == CompletionReport::Wish::event_mode ? meet(t) : Course::goes_on;
}

// FMI 2 has no other way to ask for the end than to discard the step (2.0.5, 4.2.3). FMI 3 may return early, or goes on
// to the end of the step.
OdeModel::Walk::Course OdeModel::Walk::end_run(double t) {
  report_.ending = Ending::asks_to_end;
  const bool second = model_.version() != Version::fmi3;
  if (!second && model_.agreement.returns == Agreement::Returns::at_the_end) return Course::goes_on;
  report_.reached = t;
  if (second) {
    model_.log(Status::discard, "the run should end here", LogForm::text);
    report_.status = Status::discard;
  } else if (t < end_ - slack_) {
    report_.arrival = StepReport::Arrival::early;
  }
  return Course::stops;
}

}  // namespace seam::fmus
