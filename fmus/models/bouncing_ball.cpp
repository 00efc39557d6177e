// h' = v, v' = -g; where h falls below 0 the ball bounces, v := -e v, until it is too slow and rests.
#include <limits>
#include <stdexcept>

#include "fmus/framework/ode_model.hpp"

namespace seam::fmus {
namespace {

class FreeFall final : public ode::Ode {
 public:
  explicit FreeFall(double g) : g_(g) {}

  Sizes sizes() const override { return {2, 0, 2}; }
  Nature nature() const override { return Nature::nonlinear; }
  void derivatives(double, ode::In x, ode::In, ode::Out dx) const override {
    dx[0] = x[1];
    dx[1] = -g_;
  }
  void outputs(double, ode::In x, ode::In, ode::Out y) const override {
    y[0] = x[0];
    y[1] = x[1];
  }
  bool feeds_through(int, int) const override { return false; }
  JacobianSource jacobian_source() const override { return JacobianSource::analytic; }
  void jacobians(double, ode::In, ode::In, ode::Jacobians& result) const override {
    result = {{0.0, 1.0, 0.0, 0.0}, {}, {1.0, 0.0, 0.0, 1.0}, {}};
  }

 private:
  double g_;
};

models::Model equations(std::span<const double> p) {
  models::Model model;
  model.outputs = {{"h", "m", {}}, {"v", "m/s", {}}};
  model.state_names = {"h", "v"};
  model.x0 = {p[2], p[3]};
  model.ode = std::make_unique<FreeFall>(p[0]);
  return model;
}

class BouncingBall final : public OdeModel {
 public:
  explicit BouncingBall(Version version)
      : OdeModel(
            version,
            {parameter("g", 9.81, "m/s2"), parameter("e", 0.7, "", Variability::tunable), parameter("h0", 1.0, "m"),
             parameter("v0", 0.0, "m/s"), parameter("v_min", 0.1, "m/s", Variability::tunable)},
            equations) {
    for (const int state : states()) variable(state).role = Role::reset_state;
    Variable resting = local("resting", "");
    resting.type = Type::boolean;
    resting.variability = Variability::discrete;
    resting_ = add(std::move(resting));
    z_ = add(event_indicator("height_indicator"));
    variable(z_).depends_on = {states()[0]};
  }

  Traits traits() const override { return {.description = "a ball that bounces and comes to rest", .stop = 3.0}; }

  void initialise() override {
    if (!(real(e_) >= 0.0 && real(e_) <= 1.0)) throw std::runtime_error("e must be between 0 and 1");
    OdeModel::initialise();
    integer(resting_) = 0;
  }

  void evaluate() override {
    OdeModel::evaluate();
    real(z_) = rests() ? 1.0 : memory().states[0];
  }

  // The height is set to the smallest number above 0, so that the event indicator is not 0 (FMI 3.0.2, 3.1.1).
  EventReport update() override {
    double& height = memory().states[0];
    double& speed = memory().states[1];
    if (rests() || height > 0.0) return {};
    height = std::numeric_limits<double>::min();
    if (speed < 0.0) speed *= -real(e_);
    if (speed < real(v_min_)) {
      speed = 0.0;
      integer(resting_) = 1;
    }
    return {.states = EventReport::States::reset};
  }

 protected:
  bool rests() const override { return integer(resting_) != 0; }

 private:
  const int e_ = 2, v_min_ = 5;
  int resting_, z_;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<BouncingBall>(version); }

}  // namespace seam::fmus
