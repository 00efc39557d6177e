#include "seam/models/pid.hpp"

#include <algorithm>
#include <cmath>

#include "seam/models/linear_ode.hpp"
#include "seam/models/state_space.hpp"

namespace seam::models {
namespace {

/// Without limits: states I and, if there is a derivative part, z; inputs reference and measurement.
lti::StateSpace unlimited(const Pid& pid) {
  const bool derivative = pid.kd != 0.0;
  const Eigen::Index n = derivative ? 2 : 1;
  lti::StateSpace system{lti::Matrix::Zero(n, n), lti::Matrix::Zero(n, 2), lti::Matrix::Zero(1, n),
                         lti::Matrix::Zero(1, 2)};
  const double direct = pid.kp + (derivative ? pid.kd / pid.filter_time : 0.0);
  system.B.row(0) << pid.ki, -pid.ki;
  system.C(0, 0) = 1.0;
  system.D << direct, -direct;
  if (derivative) {
    system.A(1, 1) = -1.0 / pid.filter_time;
    system.B.row(1) << 1.0 / pid.filter_time, -1.0 / pid.filter_time;
    system.C(0, 1) = -pid.kd / pid.filter_time;
  }
  return system;
}

class LimitedPidOde final : public ode::Ode {
 public:
  explicit LimitedPidOde(const Pid& pid) : linear_(unlimited(pid)), pid_(pid) {}

  Sizes sizes() const override { return linear_.sizes(); }
  Nature nature() const override { return Nature::nonlinear; }
  void derivatives(double t, ode::In x, ode::In u, ode::Out dx) const override {
    linear_.derivatives(t, x, u, dx);
    if (is_held(t, x, u)) dx[0] = 0.0;
  }
  void outputs(double t, ode::In x, ode::In u, ode::Out y) const override {
    linear_.outputs(t, x, u, y);
    y[0] = std::clamp(y[0], pid_.low, pid_.high);
  }
  bool feeds_through(int output, int input) const override { return linear_.feeds_through(output, input); }
  JacobianSource jacobian_source() const override { return JacobianSource::analytic; }
  void jacobians(double t, ode::In x, ode::In u, ode::Jacobians& result) const override {
    linear_.jacobians(t, x, u, result);
    if (is_held(t, x, u)) result.B[0] = result.B[1] = 0.0;
    const double asked = wish(t, x, u);
    if (asked < pid_.low || asked > pid_.high) {
      std::ranges::fill(result.C, 0.0);
      std::ranges::fill(result.D, 0.0);
    }
  }

 private:
  double wish(double t, ode::In x, ode::In u) const {
    double y = 0.0;
    linear_.outputs(t, x, u, ode::Out(&y, 1));
    return y;
  }

  /// Whether the integral would move further into the limit.
  bool is_held(double t, ode::In x, ode::In u) const {
    const double asked = wish(t, x, u);
    const double rate = pid_.ki * (u[0] - u[1]);
    return (asked > pid_.high && rate > 0.0) || (asked < pid_.low && rate < 0.0);
  }

  LinearOde linear_;
  Pid pid_;
};

}  // namespace

Model pid(const Pid& pid) {
  const bool limited = std::isfinite(pid.low) || std::isfinite(pid.high);
  Model model;
  model.inputs = ports({"reference", "measurement"});
  model.outputs = ports({"y"});
  model.state_names = {"integral"};
  if (pid.kd != 0.0) model.state_names.push_back("filtered_error");
  model.x0.assign(model.state_names.size(), 0.0);
  if (limited) {
    model.ode = std::make_unique<LimitedPidOde>(pid);
  } else {
    model.ode = std::make_unique<LinearOde>(unlimited(pid));
  }
  return model;
}

}  // namespace seam::models
