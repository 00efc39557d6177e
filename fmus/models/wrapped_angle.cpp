// angle' = speed, kept between -pi and pi: a step that ends outside asks for an event, which takes whole turns away.
#include <cmath>

#include "fmus/framework/ode_model.hpp"
#include "seam/models/state_space.hpp"

namespace seam::fmus {
namespace {

lti::Matrix scalar(double value) { return lti::Matrix::Constant(1, 1, value); }

models::Model equations(std::span<const double> p) {
  models::Model model =
      models::state_space({scalar(0.0), scalar(1.0), scalar(1.0), scalar(0.0)}, {p[0]}, {"speed"}, {"angle"});
  model.inputs[0].start = 1.0;
  model.outputs[0].unit = "rad";
  return model;
}

class WrappedAngle final : public OdeModel {
 public:
  explicit WrappedAngle(Version version) : OdeModel(version, {parameter("angle0", 0.0, "rad")}, equations) {
    for (const int state : states()) variable(state).role = Role::reset_state;
  }

  Traits traits() const override {
    return {
        .description = "an angle between -pi and pi", .completed_steps = Traits::CompletedSteps::needed, .stop = 10.0};
  }

  CompletionReport complete_step() override {
    return {turns() != 0.0 ? CompletionReport::Wish::event_mode : CompletionReport::Wish::none};
  }

  EventReport update() override {
    const double whole = turns();
    memory().states[0] -= whole * 2.0 * M_PI;
    return {.states = whole != 0.0 ? EventReport::States::reset : EventReport::States::kept};
  }

 private:
  double turns() const { return std::round(memory().states[0] / (2.0 * M_PI)); }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<WrappedAngle>(version); }

}  // namespace seam::fmus
