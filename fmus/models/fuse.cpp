// heat' = current²; a step that ends with more heat than `limit` ends the run.
#include "fmus/framework/ode_model.hpp"

namespace seam::fmus {
namespace {

class Wire final : public ode::Ode {
 public:
  Sizes sizes() const override { return {1, 1, 1}; }
  Nature nature() const override { return Nature::nonlinear; }
  void derivatives(double, ode::In, ode::In u, ode::Out dx) const override { dx[0] = u[0] * u[0]; }
  void outputs(double, ode::In x, ode::In, ode::Out y) const override { y[0] = x[0]; }
  bool feeds_through(int, int) const override { return false; }
  JacobianSource jacobian_source() const override { return JacobianSource::analytic; }
  void jacobians(double, ode::In, ode::In u, ode::Jacobians& result) const override {
    result = {{0.0}, {2.0 * u[0]}, {1.0}, {0.0}};
  }
};

models::Model equations(std::span<const double>) {
  models::Model model;
  model.inputs = {{"current", "", 1.0}};
  model.outputs = {{"heat", "", {}}};
  model.state_names = {"heat"};
  model.x0 = {0.0};
  model.ode = std::make_unique<Wire>();
  return model;
}

class Fuse final : public OdeModel {
 public:
  explicit Fuse(Version version) : OdeModel(version, {parameter("limit", 1.0, "", Variability::tunable)}, equations) {}

  Traits traits() const override {
    return {.description = "ends the run when it is too hot",
            .completed_steps = Traits::CompletedSteps::needed,
            .stop = 2.0};
  }

  CompletionReport complete_step() override {
    return {.ending = memory().states[0] > real(limit_) ? Ending::asks_to_end : Ending::goes_on};
  }

 private:
  const int limit_ = 1;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Fuse>(version); }

}  // namespace seam::fmus
