// x' = k u, y = x.
#include "fmus/framework/ode_model.hpp"
#include "seam/models/state_space.hpp"

namespace seam::fmus {
namespace {

lti::Matrix scalar(double value) { return lti::Matrix::Constant(1, 1, value); }

models::Model equations(std::span<const double> p) {
  return models::state_space({scalar(0.0), scalar(p[0]), scalar(1.0), scalar(0.0)}, {p[1]}, {"u"}, {"y"});
}

class Integrator final : public OdeModel {
 public:
  explicit Integrator(Version version)
      : OdeModel(version, {parameter("k", 1.0, "", Variability::tunable), parameter("x0", 0.0, "")}, equations) {}
  Traits traits() const override { return {.description = "x' = k u, y = x"}; }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Integrator>(version); }

}  // namespace seam::fmus
