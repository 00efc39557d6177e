// Switches on where u reaches `high`, off where it reaches `low`, and stays as it is in between.
#include <limits>

#include "fmus/framework/ode_model.hpp"

namespace seam::fmus {
namespace {

models::Model equations(std::span<const double>) {
  models::Model model;
  model.inputs = {{"u", "", 0.0}};
  return model;
}

/// An event indicator is never 0 (FMI 3.0.2, 3.1.1).
double shifted(double distance) { return distance == 0.0 ? -std::numeric_limits<double>::min() : distance; }

class Relay final : public OdeModel {
 public:
  explicit Relay(Version version)
      : OdeModel(version,
                 {parameter("low", -0.5, ""), parameter("high", 0.5, ""),
                  parameter("y_off", 0.0, "", Variability::tunable), parameter("y_on", 1.0, "", Variability::tunable)},
                 equations),
        u_(static_cast<int>(variables().size()) - 1) {
    on_ = add(discrete_output("on", Type::boolean));
    y_ = add(discrete_output("y", Type::float64));
    Variable before = discrete_output("was_on", Type::boolean);
    before.causality = Causality::local;
    was_on_ = add(std::move(before));
    z_high_ = add(event_indicator("high_indicator"));
    z_low_ = add(event_indicator("low_indicator"));
    for (const int unknown : {on_, y_, z_high_, z_low_}) variable(unknown).depends_on = {u_};
  }

  Traits traits() const override { return {.description = "relay with hysteresis"}; }

  void initialise() override {
    OdeModel::initialise();
    integer(was_on_) = 0;
  }

  void evaluate() override {
    real(z_high_) = shifted(real(high_) - real(u_));
    real(z_low_) = shifted(real(u_) - real(low_));
    if (!switches()) return;
    integer(on_) = wanted(integer(was_on_));
    real(y_) = integer(on_) != 0 ? real(y_on_) : real(y_off_);
  }

  EventReport update() override {
    integer(was_on_) = integer(on_);
    return {};
  }

  bool event_due() const override { return wanted(integer(on_)) != integer(on_); }

 private:
  std::int64_t wanted(std::int64_t before) const {
    if (!(real(z_high_) > 0.0)) return 1;
    return !(real(z_low_) > 0.0) ? 0 : before;
  }

  const int low_ = 1, high_ = 2, y_off_ = 3, y_on_ = 4;
  int u_, on_, y_, was_on_, z_high_, z_low_;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Relay>(version); }

}  // namespace seam::fmus
