// A mass between a spring to ground and a coupling that it owns, whose damper follows a power of the speed: takes x_in
// and v_in, gives F.
#include "seam/models/mass_power_damper.hpp"
#include "fmus/framework/ode_model.hpp"

namespace seam::fmus {
namespace {

models::Model equations(std::span<const double> p) {
  return models::mass_power_damper({p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]});
}

class MassPowerDamper final : public OdeModel {
 public:
  explicit MassPowerDamper(Version version)
      : OdeModel(version,
                 {parameter("m", 10.0, "kg", Variability::tunable), parameter("k", 1e7, "N/m", Variability::tunable),
                  parameter("d", 2.0, "N.s/m", Variability::tunable), parameter("kc", 2e5, "N/m", Variability::tunable),
                  parameter("dc", 200.0, "N.s/m", Variability::tunable), parameter("exponent", -0.5, ""),
                  parameter("limit", 1e5, "N.s/m"), parameter("x0", 0.1, "m"), parameter("v0", 0.0, "m/s")},
                 equations) {}
  Traits traits() const override { return {.description = "mass that owns a coupling with a nonlinear damper"}; }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<MassPowerDamper>(version); }

}  // namespace seam::fmus
