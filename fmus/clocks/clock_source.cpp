// An output clock that ticks every `period`, and the number of its tick.
#include <cmath>
#include <stdexcept>

#include "fmus/framework/ode_model.hpp"

namespace seam::fmus {
namespace {

class ClockSource final : public OdeModel {
 public:
  explicit ClockSource(Version version)
      : OdeModel(version, {parameter("period", 0.25, "s")}, [](std::span<const double>) { return models::Model{}; }) {
    Variable tick = clock("tick", Causality::output, Ticking::triggered);
    tick.depends_on = {time_place};
    tick_ = add(std::move(tick));
    previous_ = add(clocked(local("previous_number", ""), tick_));
    Variable count = clocked(output("number", ""), tick_);
    count.previous = previous_;
    count.depends_on = {time_place};
    number_ = add(std::move(count));
  }

  Traits traits() const override { return {.description = "ticks every `period`"}; }

  void initialise() override {
    if (!(real(period_) > 0.0)) throw std::runtime_error("period must be more than 0");
    OdeModel::initialise();
    real(previous_) = real(number_) = 0.0;
  }

  void evaluate() override {
    if (!switches()) return;
    real(number_) = std::floor((memory().time - memory().experiment.start) / real(period_) + 1e-9);
    integer(tick_) = real(number_) > real(previous_) ? 1 : 0;
  }

  EventReport update() override {
    real(previous_) = real(number_);
    return {.next_event = memory().experiment.start + (real(number_) + 1.0) * real(period_)};
  }

 private:
  const int period_ = 1;
  int tick_, previous_, number_;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<ClockSource>(version); }

}  // namespace seam::fmus
