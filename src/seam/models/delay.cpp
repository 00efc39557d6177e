#include "seam/models/delay.hpp"

#include <algorithm>
#include <cmath>

#include "seam/models/state_space.hpp"

namespace seam::models {
namespace {

/// time = (whole + part) solver steps, 0 <= part < 1.
struct Shift {
  double whole = 0.0;
  double part = 0.0;
};

Shift shift_of(const Delay& delay) {
  const double steps = delay.time / delay.solver_step;
  const double nearest = std::round(steps);
  if (std::abs(steps - nearest) <= 1e-9) return {nearest, 0.0};
  return {std::floor(steps), steps - std::floor(steps)};
}

/// State k is the input k + 1 solver steps ago, as it was at the start of that step: a jump there counts.
class DelayOde final : public ode::Ode {
 public:
  DelayOde(Shift shift, int states)
      : states_(states), newer_(static_cast<int>(shift.whole)), newer_weight_(1.0 - shift.part) {}

  Sizes sizes() const override { return {states_, 1, 1}; }
  Nature nature() const override { return states_ == 0 ? Nature::linear : Nature::discrete; }
  void derivatives(double, ode::In, ode::In, ode::Out dx) const override { std::ranges::fill(dx, 0.0); }
  void outputs(double, ode::In x, ode::In u, ode::Out y) const override {
    const double newer = newer_ == 0 ? u[0] : x[newer_ - 1];
    y[0] = newer_weight_ == 1.0 ? newer : newer_weight_ * newer + (1.0 - newer_weight_) * x[newer_];
  }
  bool feeds_through(int, int) const override { return newer_ == 0; }
  void after_step(double, ode::In u, ode::Out x) const override {
    if (x.empty()) return;
    std::copy_backward(x.begin(), x.end() - 1, x.end());
    x[0] = u[0];
  }
  JacobianSource jacobian_source() const override { return JacobianSource::analytic; }
  void jacobians(double, ode::In, ode::In, ode::Jacobians& result) const override {
    const auto n = static_cast<std::size_t>(states_);
    result.A.assign(n * n, 0.0);
    result.B.assign(n, 0.0);
    result.C.assign(n, 0.0);
    result.D.assign(1, newer_ == 0 ? newer_weight_ : 0.0);
    if (newer_ > 0) result.C[newer_ - 1] = newer_weight_;
    if (newer_weight_ != 1.0) result.C[newer_] = 1.0 - newer_weight_;
  }

 private:
  int states_;
  int newer_;  ///< the newer of the two values the output lies between; 0 is the input itself
  double newer_weight_;
};

}  // namespace

double delay_states(const Delay& delay) {
  const Shift shift = shift_of(delay);
  return shift.part > 0.0 ? shift.whole + 1.0 : shift.whole;
}

Model delay(const Delay& delay) {
  const int states = static_cast<int>(delay_states(delay));
  Model model;
  model.inputs = ports({"u"}, delay.unit);
  model.outputs = ports({"y"}, delay.unit);
  for (int k = 0; k < states; ++k) model.state_names.push_back("past" + std::to_string(k + 1));
  model.x0.assign(static_cast<std::size_t>(states), delay.initial);
  model.ode = std::make_unique<DelayOde>(shift_of(delay), states);
  return model;
}

}  // namespace seam::models
