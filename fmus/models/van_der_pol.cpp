// x' = v, v' = mu (1 - x²) v - x: stiff where mu is large.
#include "fmus/framework/ode_model.hpp"

namespace seam::fmus {
namespace {

class Oscillator final : public ode::Ode {
 public:
  explicit Oscillator(double mu) : mu_(mu) {}

  Sizes sizes() const override { return {2, 0, 2}; }
  Nature nature() const override { return Nature::nonlinear; }
  void derivatives(double, ode::In x, ode::In, ode::Out dx) const override {
    dx[0] = x[1];
    dx[1] = mu_ * (1.0 - x[0] * x[0]) * x[1] - x[0];
  }
  void outputs(double, ode::In x, ode::In, ode::Out y) const override {
    y[0] = x[0];
    y[1] = x[1];
  }
  bool feeds_through(int, int) const override { return false; }
  JacobianSource jacobian_source() const override { return JacobianSource::analytic; }
  void jacobians(double, ode::In x, ode::In, ode::Jacobians& result) const override {
    result = {{0.0, 1.0, -2.0 * mu_ * x[0] * x[1] - 1.0, mu_ * (1.0 - x[0] * x[0])}, {}, {1.0, 0.0, 0.0, 1.0}, {}};
  }

 private:
  double mu_;
};

models::Model equations(std::span<const double> p) {
  models::Model model;
  model.outputs = {{"x", "", {}}, {"v", "", {}}};
  model.state_names = {"x", "v"};
  model.x0 = {p[1], p[2]};
  model.ode = std::make_unique<Oscillator>(p[0]);
  return model;
}

class VanDerPol final : public OdeModel {
 public:
  explicit VanDerPol(Version version)
      : OdeModel(version,
                 {parameter("mu", 1.0, "", Variability::tunable), parameter("x0", 2.0, ""), parameter("v0", 0.0, "")},
                 equations) {}
  Traits traits() const override { return {.description = "van der Pol's oscillator", .stop = 20.0}; }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<VanDerPol>(version); }

}  // namespace seam::fmus
