// A mass on a spring to ground that feels the force F_in of its partner.
#include "fmus/framework/ode_model.hpp"
#include "seam/models/mass_chain.hpp"

namespace seam::fmus {
namespace {

models::Model equations(std::span<const double> p) {
  models::MassChain chain;
  chain.masses = {p[0]};
  chain.ground_springs = {p[1]};
  chain.ground_dampers = {p[2]};
  chain.couplings = {{models::ChainCoupling::Kind::force, 0, 0.0, 0.0, 0.0, ""}};
  chain.x0 = {p[3]};
  chain.v0 = {p[4]};
  return models::mass_chain(chain);
}

class Right final : public OdeModel {
 public:
  explicit Right(Version version)
      : OdeModel(version,
                 {parameter("m", 0.1, "kg", Variability::tunable), parameter("k", 10.0, "N/m", Variability::tunable),
                  parameter("d", 0.1, "N.s/m", Variability::tunable), parameter("x0", 0.0, "m"),
                  parameter("v0", 0.0, "m/s")},
                 equations) {}
  Traits traits() const override { return {.description = "mass that feels the force of its partner"}; }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Right>(version); }

}  // namespace seam::fmus
