#include "seam/models/mass_power_damper.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace seam::models {
namespace {

class MassPowerDamperOde final : public ode::Ode {
 public:
  explicit MassPowerDamperOde(const MassPowerDamper& parameters) : p_(parameters) {}

  Sizes sizes() const override { return {2, 3, 4}; }
  Nature nature() const override {
    return p_.exponent == 0.0 || p_.damping == 0.0 ? Nature::linear : Nature::nonlinear;
  }
  std::span<const int> velocity_of() const override { return velocity_of_; }
  void derivatives(double, ode::In x, ode::In u, ode::Out dx) const override {
    dx[0] = x[1];
    dx[1] = acceleration(x, u);
  }
  void outputs(double, ode::In x, ode::In u, ode::Out y) const override {
    y[0] = x[0];
    y[1] = x[1];
    y[2] = acceleration(x, u);
    y[3] = force(x, u);
  }
  bool feeds_through(int output, int input) const override {
    if (output < 2) return false;
    if (input == 0) return output == 2;
    return input == 1 ? p_.spring != 0.0 : p_.damping != 0.0;
  }
  JacobianSource jacobian_source() const override { return JacobianSource::analytic; }
  void jacobians(double, ode::In x, ode::In u, ode::Jacobians& result) const override {
    const double k = p_.spring, d = slope(x[1] - u[2]), m = p_.mass;
    const double to_x = -(p_.ground_spring + k) / m, to_v = -(p_.ground_damper + d) / m;
    result.A = {0.0, 1.0, to_x, to_v};
    result.B = {0.0, 0.0, 0.0, 1.0 / m, k / m, d / m};
    result.C = {1.0, 0.0, 0.0, 1.0, to_x, to_v, k, d};
    result.D = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0 / m, k / m, d / m, 0.0, -k, -d};
  }

 private:
  /// Without the limit; the power has a pole at rest.
  double free_factor(double speed) const {
    return p_.damping == 0.0 ? 0.0 : p_.damping * std::pow(std::abs(speed), p_.exponent);
  }

  /// d(force)/d(speed); that of the limit where both meet.
  double slope(double speed) const {
    const double factor = free_factor(speed);
    return factor < p_.limit ? (1.0 + p_.exponent) * factor : p_.limit;
  }

  double force(ode::In x, ode::In u) const {
    const double speed = x[1] - u[2];
    return p_.spring * (x[0] - u[1]) + std::min(free_factor(speed), p_.limit) * speed;
  }
  double acceleration(ode::In x, ode::In u) const {
    return (u[0] - p_.ground_spring * x[0] - p_.ground_damper * x[1] - force(x, u)) / p_.mass;
  }

  MassPowerDamper p_;
  static constexpr std::array<int, 2> velocity_of_ = {1, -1};
};

}  // namespace

Model mass_power_damper(const MassPowerDamper& parameters) {
  Model model;
  model.inputs = {{"f1", "N", 0.0}, {"x_in", "m", std::nullopt}, {"v_in", "m/s", std::nullopt}};
  model.outputs = {
      {"x1", "m", std::nullopt}, {"v1", "m/s", std::nullopt}, {"a1", "m/s2", std::nullopt}, {"F", "N", std::nullopt}};
  model.state_names = {"x1", "v1"};
  model.x0 = {parameters.x0, parameters.v0};
  model.ode = std::make_unique<MassPowerDamperOde>(parameters);
  return model;
}

}  // namespace seam::models
