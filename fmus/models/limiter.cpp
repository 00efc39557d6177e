// y = u, but at least low and at most high.
#include <stdexcept>

#include "fmus/framework/ode_model.hpp"
#include "seam/models/blocks.hpp"

namespace seam::fmus {
namespace {

models::Model equations(std::span<const double> p) {
  if (!(p[0] <= p[1])) throw std::runtime_error("low must not be more than high");
  return models::limiter(p[0], p[1], "");
}

class Limiter final : public OdeModel {
 public:
  explicit Limiter(Version version)
      : OdeModel(version,
                 {parameter("low", -1.0, "", Variability::tunable), parameter("high", 1.0, "", Variability::tunable)},
                 equations) {}
  Traits traits() const override { return {.description = "y = u, kept between low and high"}; }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Limiter>(version); }

}  // namespace seam::fmus
