// y = (b2 s² + b1 s + b0)/(a2 s² + a1 s + a0) u.
#include "seam/models/state_space.hpp"

#include "fmus/framework/ode_model.hpp"

namespace seam::fmus {
namespace {

models::Model equations(std::span<const double> p) {
  return models::transfer_function({p[0], p[1], p[2]}, {p[3], p[4], p[5]});
}

class SecondOrder final : public OdeModel {
 public:
  explicit SecondOrder(Version version)
      : OdeModel(version,
                 {parameter("b2", 0.0, "", Variability::tunable), parameter("b1", 0.0, "", Variability::tunable),
                  parameter("b0", 1.0, "", Variability::tunable), parameter("a2", 1.0, "", Variability::tunable),
                  parameter("a1", 0.4, "", Variability::tunable), parameter("a0", 4.0, "", Variability::tunable)},
                 equations) {}
  Traits traits() const override { return {.description = "transfer function of second order"}; }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<SecondOrder>(version); }

}  // namespace seam::fmus
