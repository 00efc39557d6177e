// x' = k (u - x), y = x by co-simulation; by model exchange something else, as `fault` says.
#include "fmus/framework/ode_model.hpp"
#include "seam/models/state_space.hpp"

namespace {

using namespace seam;
using namespace seam::fmus;

lti::Matrix scalar(double value) { return lti::Matrix::Constant(1, 1, value); }

models::Model equations(std::span<const double> p) {
  return models::state_space({scalar(-p[0]), scalar(p[0]), scalar(1.0), scalar(0.0)}, {p[1]}, {"u"}, {"y"});
}

class Exchange final : public OdeModel {
 public:
  explicit Exchange(Version version)
      : OdeModel(version, {parameter("k", 2.0, ""), parameter("x0", 1.0, "")}, equations) {
    Variable fault = parameter("fault", 1.0, "");
    fault.type = Type::enumeration;
    fault.items = {"none", "parameter", "sign", "delay", "start"};
    fault_ = add(std::move(fault));
    own_step_ = add(parameter("own_step", 0.0, "s"));
    own_steps_ = add(local("own_steps", ""));
  }

  Traits traits() const override { return {.description = "model exchange that differs from co-simulation"}; }

  void evaluate() override {
    OdeModel::evaluate();
    const Phase phase = memory().phase;
    if (phase != Phase::continuous && phase != Phase::event) return;
    double& slope = real(derivatives()[0]);
    if (is(Fault::parameter)) slope *= 1.2;
    if (is(Fault::sign)) slope -= 2.0 * real(k_) * real(u_);
    if (is(Fault::delay) && memory().time < memory().experiment.start + 0.2) slope = 0.0;
  }

  /// With steps of its own: as many Euler steps as end by then, as solvers with a fixed step make them.
  StepReport step(double t, double h) override {
    if (is(Fault::start) && t <= memory().experiment.start) memory().states[0] -= 0.5;
    if (!(real(own_step_) > 0.0)) return OdeModel::step(t, h);
    const double start = memory().experiment.start;
    double& x = memory().states[0];
    for (; start + (real(own_steps_) + 1.0) * real(own_step_) <= t + h * (1.0 + 1e-9); real(own_steps_) += 1.0)
      x += real(own_step_) * real(k_) * (real(u_) - x);
    set_time(t + h);
    evaluate();
    return {.reached = t + h};
  }

 private:
  enum class Fault { none = 1, parameter, sign, delay, start };
  bool is(Fault fault) const { return integer(fault_) == static_cast<std::int64_t>(fault); }

  const int k_ = 1, u_ = 5;
  int fault_, own_step_, own_steps_;
};

}  // namespace

std::unique_ptr<Model> seam::fmus::make_model(Version version) { return std::make_unique<Exchange>(version); }
