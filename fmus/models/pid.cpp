// y = kp e + I + kd (e - z)/filter_time with e = reference - measurement.
#include "seam/models/pid.hpp"

#include "fmus/framework/ode_model.hpp"

namespace seam::fmus {
namespace {

models::Model equations(std::span<const double> p) {
  return models::pid({.kp = p[0], .ki = p[1], .kd = p[2], .filter_time = p[3]});
}

class PidController final : public OdeModel {
 public:
  explicit PidController(Version version)
      : OdeModel(
            version,
            {parameter("kp", 1.0, "", Variability::tunable), parameter("ki", 1.0, "", Variability::tunable),
             parameter("kd", 0.1, "", Variability::tunable), parameter("filter_time", 0.01, "s", Variability::tunable)},
            equations) {}
  Traits traits() const override { return {.description = "PID controller with filtered derivative"}; }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<PidController>(version); }

}  // namespace seam::fmus
