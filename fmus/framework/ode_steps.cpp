// How the equations cross a communication step, and what their inputs are meanwhile.
#include <algorithm>

#include "fmus/framework/implicit_euler.hpp"
#include "fmus/framework/ode_walk.hpp"
#include "seam/base/grid.hpp"

namespace seam::fmus {
namespace {

/// As natively: a whole number of solver steps, one more if the last would be longer.
int steps_in(double h, double solver_step) {
  if (!(solver_step > 0.0)) return 1;
  const base::Division division = base::divide(h, solver_step);
  return static_cast<int>(division.exact && division.whole >= 1 ? division.whole : division.whole + 1);
}

}  // namespace

void OdeModel::ask(const Moment& moment) {
  asked_at_ = moment.time;
  set_time(moment.time);
  memory().stale = true;
  agreement.intermediate_update(moment);
}

// u(tau) = u + u' tau + u'' tau^2/2 (FMI 2.0.5, 4.2.1), in theta = tau/h.
ode::InputSignal OdeModel::signal_of(double t, double h) {
  std::int64_t degree = 0;
  for (const InputDerivative& known : memory().input_derivatives) degree = std::max(degree, known.order);
  const std::span<const double> begin = inputs();
  coefficients_.assign(begin.begin(), begin.end());
  coefficients_.resize(static_cast<std::size_t>(degree + 1) * inputs_, 0.0);
  for (const InputDerivative& known : memory().input_derivatives) {
    const auto input = static_cast<std::size_t>(known.place - first_input_);
    const double factor = known.order == 1 ? h : 0.5 * h * h;
    coefficients_[static_cast<std::size_t>(known.order) * inputs_ + input] = factor * known.value;
  }
  return {{coefficients_.data(), static_cast<int>(degree), static_cast<int>(inputs_)}, {}, t, h};
}

StepReport OdeModel::step(double t, double h) {
  const int steps = solve_ ? steps_in(h, real(solver_step_)) : 1;
  const bool watched = !event_indicators().empty() || memory().next_event || watches_steps_;
  if (watched || agreement.intermediate_update) return Walk(*this, t, h).cross(steps);
  const bool held = memory().input_derivatives.empty();
  const ode::InputSignal signal =
      held ? ode::InputSignal{{inputs().data(), 0, static_cast<int>(inputs_)}, {}, t, h} : signal_of(t, h);
  if (solve_ && held && solves_implicitly_) {
    advance_implicitly(*model_.ode, {t, h, steps}, inputs(), memory().states);
  } else if (solve_) {
    solve_->advance(t, h, steps, signal, memory().states);
  }
  if (!held) signal.polynomials.at(1.0, inputs());
  set_time(t + h);
  evaluate();
  return {.reached = t + h};
}

}  // namespace seam::fmus
