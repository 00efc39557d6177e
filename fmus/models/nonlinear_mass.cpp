// m x'' = s tanh(F/s) - k1 x - k2 x^2 - k3 x^3 - g sin x - d1 v - d3 v^3: springs that harden or soften, a pendulum, a
// damper that stiffens, a drive that saturates. Takes F, gives x and v.
#include <cmath>

#include "fmus/framework/ode_model.hpp"

namespace seam::fmus {
namespace {

struct Constants {
  double m, k1, k2, k3, g, d1, d3, s;
};

class NonlinearMass final : public ode::Ode {
 public:
  explicit NonlinearMass(const Constants& constants) : c_(constants) {}

  Sizes sizes() const override { return {2, 1, 2}; }
  Nature nature() const override { return Nature::nonlinear; }
  void derivatives(double, ode::In x, ode::In u, ode::Out dx) const override {
    const double spring = x[0] * (c_.k1 + x[0] * (c_.k2 + x[0] * c_.k3)) + c_.g * std::sin(x[0]);
    const double damper = x[1] * (c_.d1 + c_.d3 * x[1] * x[1]);
    dx[0] = x[1];
    dx[1] = (c_.s * std::tanh(u[0] / c_.s) - spring - damper) / c_.m;
  }
  void outputs(double, ode::In x, ode::In, ode::Out y) const override {
    y[0] = x[0];
    y[1] = x[1];
  }
  bool feeds_through(int, int) const override { return false; }

 private:
  Constants c_;
};

models::Model equations(std::span<const double> p) {
  models::Model model;
  model.inputs = {{"F", "", 0.0}};
  model.outputs = {{"x", "", {}}, {"v", "", {}}};
  model.state_names = {"x", "v"};
  model.x0 = {p[8], p[9]};
  model.ode = std::make_unique<NonlinearMass>(Constants{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]});
  return model;
}

class Mass final : public OdeModel {
 public:
  explicit Mass(Version version)
      : OdeModel(version,
                 {parameter("m", 1.0, ""), parameter("k1", 1.0, ""), parameter("k2", 0.0, ""), parameter("k3", 0.0, ""),
                  parameter("g", 0.0, ""), parameter("d1", 0.1, ""), parameter("d3", 0.0, ""), parameter("s", 1e6, ""),
                  parameter("x0", 0.0, ""), parameter("v0", 0.0, "")},
                 equations) {}
  Traits traits() const override { return {.description = "mass on a nonlinear spring and damper"}; }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Mass>(version); }

}  // namespace seam::fmus
