#include "seam/ode/fixed_step.hpp"

namespace seam::ode {

FixedStepSolver::FixedStepSolver(const Ode& ode, Method method)
    : ode_(&ode),
      method_(method),
      sizes_(ode.sizes()),
      nature_(ode.nature()),
      u_(sizes_.inputs),
      u_middle_(sizes_.inputs),
      u_end_(sizes_.inputs),
      k1_(sizes_.states),
      k2_(sizes_.states),
      k3_(sizes_.states),
      k4_(sizes_.states),
      stage_(sizes_.states) {}

void FixedStepSolver::advance(double t, double h, int steps, const InputSignal& input, Out x) {
  if (sizes_.states == 0) return;
  const bool constant = input.polynomials.degree == 0 && input.driven.empty();
  const bool discrete = nature_ == Ode::Nature::discrete;
  const bool needs_middle = method_ == Method::midpoint || method_ == Method::rk4;
  const bool needs_end = method_ == Method::rk4;
  // theta comes from the step's number and not from t: at t = 1e4 s a difference of times would cost nine digits.
  const double theta_begin = input.theta(t);
  const double theta_length = input.length > 0.0 ? h / input.length : 0.0;
  const auto evaluate = [&](double fraction, double time, Side side, Out u) {
    input.polynomials.at(theta_begin + theta_length * fraction, u);
    input.drive(time, side, u);
  };

  Step now;
  now.h = h / steps;
  now.u = u_;
  now.u_middle = constant ? In(u_) : In(u_middle_);
  now.u_end = constant ? In(u_) : In(u_end_);
  if (constant) input.polynomials.at(0.0, u_);
  for (int i = 0; i < steps; ++i) {
    now.t = t + h * i / steps;
    if (needs_middle) now.middle = t + h * (i + 0.5) / steps;
    if (needs_end) now.end = t + h * (i + 1) / steps;
    if (!constant) {
      evaluate(static_cast<double>(i) / steps, now.t, Side::right, u_);
      if (needs_middle) evaluate((i + 0.5) / steps, now.middle, Side::right, u_middle_);
      if (needs_end) evaluate((i + 1.0) / steps, now.end, Side::left, u_end_);
    }
    step(now, x);
    if (discrete) ode_->after_step(now.t, now.u, x);
  }
}

void FixedStepSolver::step(const Step& step, Out x) {
  switch (method_) {
    case Method::euler:
      return step_euler(step, x);
    case Method::midpoint:
      return step_midpoint(step, x);
    case Method::rk4:
      return step_rk4(step, x);
    case Method::symplectic_euler:
      return step_symplectic(step, x);
  }
}

void FixedStepSolver::step_euler(const Step& step, Out x) {
  ode_->derivatives(step.t, x, step.u, k1_);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += step.h * k1_[i];
}

void FixedStepSolver::step_midpoint(const Step& step, Out x) {
  ode_->derivatives(step.t, x, step.u, k1_);
  for (std::size_t i = 0; i < x.size(); ++i) stage_[i] = x[i] + 0.5 * step.h * k1_[i];
  ode_->derivatives(step.middle, stage_, step.u_middle, k2_);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += step.h * k2_[i];
}

void FixedStepSolver::step_rk4(const Step& step, Out x) {
  ode_->derivatives(step.t, x, step.u, k1_);
  for (std::size_t i = 0; i < x.size(); ++i) stage_[i] = x[i] + 0.5 * step.h * k1_[i];
  ode_->derivatives(step.middle, stage_, step.u_middle, k2_);
  for (std::size_t i = 0; i < x.size(); ++i) stage_[i] = x[i] + 0.5 * step.h * k2_[i];
  ode_->derivatives(step.middle, stage_, step.u_middle, k3_);
  for (std::size_t i = 0; i < x.size(); ++i) stage_[i] = x[i] + step.h * k3_[i];
  ode_->derivatives(step.end, stage_, step.u_end, k4_);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] += step.h / 6.0 * (k1_[i] + 2.0 * (k2_[i] + k3_[i]) + k4_[i]);
  }
}

void FixedStepSolver::step_symplectic(const Step& step, Out x) {
  const std::span<const int> velocity_of = ode_->velocity_of();
  ode_->derivatives(step.t, x, step.u, k1_);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool position = !velocity_of.empty() && velocity_of[i] >= 0;
    if (!position) x[i] += step.h * k1_[i];
  }
  for (std::size_t i = 0; i < velocity_of.size(); ++i) {
    if (velocity_of[i] >= 0) x[i] += step.h * x[velocity_of[i]];
  }
}

}  // namespace seam::ode
