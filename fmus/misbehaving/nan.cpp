#include <limits>

#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class NotANumber final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "gives NaN after the step that passes `at`"}; }

  StepReport step(double t, double h) override {
    const StepReport report = Wayward::step(t, h);
    if (is_time(t + h)) y() = std::numeric_limits<double>::quiet_NaN();
    return report;
  }
};

}  // namespace

SEAM_WAYWARD(NotANumber)
