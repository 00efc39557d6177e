// y = c0 + c1 u + c2 u^2 + c3 u^3.
#include "fmus/framework/ode_model.hpp"
#include "seam/models/blocks.hpp"

namespace seam::fmus {
namespace {

class Cubic final : public OdeModel {
 public:
  explicit Cubic(Version version)
      : OdeModel(version,
                 {parameter("c0", 0.0, "", Variability::tunable), parameter("c1", 1.0, "", Variability::tunable),
                  parameter("c2", 0.0, "", Variability::tunable), parameter("c3", 0.0, "", Variability::tunable)},
                 [](std::span<const double> p) {
                   return models::polynomial({p.begin(), p.end()});
                 }) {}
  Traits traits() const override { return {.description = "y = c0 + c1 u + c2 u^2 + c3 u^3"}; }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Cubic>(version); }

}  // namespace seam::fmus
