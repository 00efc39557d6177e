// A mass between a spring to ground and the coupling spring, which it owns: takes x_in and v_in, gives F.
#include "fmus/framework/ode_model.hpp"
#include "seam/models/mass_chain.hpp"

namespace seam::fmus {
namespace {

models::Model equations(std::span<const double> p) {
  models::MassChain chain;
  chain.masses = {p[0]};
  chain.ground_springs = {p[1]};
  chain.ground_dampers = {p[2]};
  chain.couplings = {{models::ChainCoupling::Kind::spring, 0, p[3], p[4], 0.0, ""}};
  chain.x0 = {p[5]};
  chain.v0 = {p[6]};
  return models::mass_chain(chain);
}

class Left final : public OdeModel {
 public:
  explicit Left(Version version)
      : OdeModel(
            version,
            {parameter("m", 0.1, "kg", Variability::tunable), parameter("k", 10.0, "N/m", Variability::tunable),
             parameter("d", 0.1, "N.s/m", Variability::tunable), parameter("kc", 10.0, "N/m", Variability::tunable),
             parameter("dc", 0.1, "N.s/m", Variability::tunable), parameter("x0", 1.0, "m"),
             parameter("v0", 0.0, "m/s")},
            equations) {}
  Traits traits() const override { return {.description = "mass that owns the coupling spring and damper"}; }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Left>(version); }

}  // namespace seam::fmus
