// y = offset + amplitude sin(2 pi frequency t + phase): a source, without inputs.
#include "fmus/framework/ode_model.hpp"
#include "seam/models/signals.hpp"

namespace seam::fmus {
namespace {

models::Model equations(std::span<const double> p) {
  const models::Sine sine{.amplitude = p[0], .frequency = p[1], .phase = p[2], .offset = p[3]};
  return models::source(std::make_shared<models::SineSignal>(sine), "");
}

class SineSource final : public OdeModel {
 public:
  explicit SineSource(Version version)
      : OdeModel(
            version,
            {parameter("amplitude", 1.0, "", Variability::tunable),
             parameter("frequency", 1.0, "Hz", Variability::tunable),
             parameter("phase", 0.0, "rad", Variability::tunable), parameter("offset", 0.0, "", Variability::tunable)},
            equations) {}
  Traits traits() const override { return {.description = "sine source"}; }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<SineSource>(version); }

}  // namespace seam::fmus
