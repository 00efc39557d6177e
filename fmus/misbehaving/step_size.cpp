#include <cmath>

#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Choosy final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "takes only steps that are multiples of 1 ms"}; }

  StepReport step(double t, double h) override {
    const double parts = h / 1e-3;
    const double nearest = std::round(parts);
    if (nearest >= 1.0 && std::abs(parts - nearest) < 1e-6) return Wayward::step(t, h);
    log(Status::error, "the step size must be a multiple of 1 ms", LogForm::text);
    return {Status::error, t};
  }
};

}  // namespace

SEAM_WAYWARD(Choosy)
