#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Crashing final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "writes to address 0 in the step that passes `at`"}; }

  StepReport step(double t, double h) override {
    if (is_time(t + h)) crash();
    return Wayward::step(t, h);
  }
};

}  // namespace

SEAM_WAYWARD(Crashing)
