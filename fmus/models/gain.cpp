// y = k u.
#include "fmus/framework/ode_model.hpp"
#include "seam/models/blocks.hpp"

namespace seam::fmus {
namespace {

class Gain final : public OdeModel {
 public:
  explicit Gain(Version version)
      : OdeModel(version, {parameter("k", 2.0, "", Variability::tunable)},
                 [](std::span<const double> p) { return models::gain(p[0]); }) {}
  Traits traits() const override { return {.description = "y = k u"}; }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Gain>(version); }

}  // namespace seam::fmus
