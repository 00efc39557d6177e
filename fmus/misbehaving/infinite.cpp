#include <limits>

#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Infinite final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "gives infinity after the step that passes `at`"}; }

  StepReport step(double t, double h) override {
    const StepReport report = Wayward::step(t, h);
    if (is_time(t + h)) y() = std::numeric_limits<double>::infinity();
    return report;
  }
};

}  // namespace

SEAM_WAYWARD(Infinite)
