// A counter that goes up by one every `period`: time events and nothing else.
#include <cmath>
#include <stdexcept>

#include "fmus/framework/ode_model.hpp"

namespace seam::fmus {
namespace {

class Stair final : public OdeModel {
 public:
  explicit Stair(Version version)
      : OdeModel(version, {parameter("period", 1.0, "s"), parameter("height", 1.0, "")},
                 [](std::span<const double>) { return models::Model{}; }) {
    counter_ = add(discrete_output("counter", Type::int32));
    y_ = add(discrete_output("y", Type::float64));
  }

  Traits traits() const override { return {.description = "goes up by `height` every `period`", .stop = 10.0}; }

  void initialise() override {
    if (!(real(period_) > 0.0)) throw std::runtime_error("period must be more than 0");
    OdeModel::initialise();
  }

  // An event that comes too early by rounding counts as well (FMI 3.0.2, 2.3.5: at or after the time that was told).
  void evaluate() override {
    if (!switches()) return;
    integer(counter_) =
        static_cast<std::int64_t>(std::floor((memory().time - memory().experiment.start) / real(period_) + 1e-9));
    real(y_) = real(height_) * static_cast<double>(integer(counter_));
  }

  EventReport update() override {
    return {.next_event = memory().experiment.start + static_cast<double>(integer(counter_) + 1) * real(period_)};
  }

 private:
  const int period_ = 1, height_ = 2;
  int counter_, y_;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Stair>(version); }

}  // namespace seam::fmus
