// What the strict FMUs with events compute: x' = k (u - x), y = x, z = x + u; `above` says whether x is above `limit`;
// every `period` the counter goes up and x is kicked; every `steps_to_event` completed steps ask for an event.
#include <cmath>
#include <limits>

#include "fmus/framework/ode_model.hpp"
#include "seam/models/state_space.hpp"

namespace seam::fmus {
namespace {

models::Model equations(std::span<const double> p) {
  const auto scalar = [](double value) { return lti::Matrix::Constant(1, 1, value); };
  lti::Matrix C(2, 1), D(2, 1);
  C << 1.0, 1.0;
  D << 0.0, 1.0;
  models::Model model = models::state_space({scalar(-p[0]), scalar(p[0]), C, D}, {p[1]}, {"u"}, {"y", "z"});
  model.inputs[0].start = 0.0;
  return model;
}

Variable discrete_input(const char* name, Type type, const char* start) {
  Variable variable = input(name, 0.0, "");
  variable.type = type;
  variable.variability = Variability::discrete;
  variable.start = start;
  return variable;
}

class StrictHybrid final : public OdeModel {
 public:
  explicit StrictHybrid(Version version)
      : OdeModel(
            version,
            {parameter("k", 1.0, "", Variability::tunable), parameter("x0", 1.0, ""), parameter("limit", 1e300, ""),
             parameter("period", 0.0, "s"), parameter("kick", 0.0, "", Variability::tunable),
             parameter("steps_to_event", 0.0, ""), parameter("terminate_at", 1e300, "s")},
            equations) {
    for (const int state : states()) variable(state).role = Role::reset_state;
    d_ = add(discrete_input("d", Type::float64, "0"));
    mode_ = add(discrete_input("mode", Type::int32, "1"));
    d_out_ = add(discrete_output("d_out", Type::float64));
    mode_out_ = add(discrete_output("mode_out", Type::int32));
    variable(d_out_).depends_on = {d_};
    variable(mode_out_).depends_on = {mode_};
    above_ = add(discrete_output("above", Type::boolean));
    counter_ = add(discrete_output("counter", Type::int32));
    Variable steps = discrete_output("steps", Type::int32);
    steps.causality = Causality::local;
    steps_ = add(std::move(steps));
    z_ = add(event_indicator("limit_indicator"));
    variable(z_).depends_on = {states()[0]};
  }

  Traits traits() const override {
    return {.description = "accepts only what the standard allows; with events",
            .completed_steps = Traits::CompletedSteps::needed};
  }

  void initialise() override {
    OdeModel::initialise();
    integer(counter_) = integer(steps_) = 0;
  }

  void evaluate() override {
    OdeModel::evaluate();
    const double distance = memory().states[0] - real(limit_);
    real(z_) = distance == 0.0 ? -std::numeric_limits<double>::min() : distance;
    if (!switches()) return;
    integer(above_) = real(z_) > 0.0 ? 1 : 0;
    real(d_out_) = real(d_);
    integer(mode_out_) = integer(mode_);
  }

  EventReport update() override {
    EventReport report;
    const double start = memory().experiment.start, period = real(period_);
    if (period > 0.0) {
      const auto passed = static_cast<std::int64_t>(std::floor((memory().time - start) / period + 1e-9));
      if (passed > integer(counter_) && real(kick_) != 0.0) {
        memory().states[0] += real(kick_);
        report.states = EventReport::States::reset;
        report.iteration = EventReport::Iteration::goes_on;
      }
      integer(counter_) = passed;
      report.next_event = start + static_cast<double>(passed + 1) * period;
    }
    integer(steps_) = 0;
    if (memory().time >= real(terminate_at_)) report.ending = Ending::asks_to_end;
    return report;
  }

  bool event_due() const override { return (real(z_) > 0.0 ? 1 : 0) != integer(above_); }

  CompletionReport complete_step() override {
    const double most = real(steps_to_event_);
    const bool enough = most > 0.0 && static_cast<double>(++integer(steps_)) >= most;
    return {enough ? CompletionReport::Wish::event_mode : CompletionReport::Wish::none};
  }

 private:
  const int limit_ = 3, period_ = 4, kick_ = 5, steps_to_event_ = 6, terminate_at_ = 7;
  int d_, mode_, d_out_, mode_out_, above_, counter_, steps_, z_;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<StrictHybrid>(version); }

}  // namespace seam::fmus
