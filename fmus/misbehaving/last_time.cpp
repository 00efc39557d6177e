#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Lying final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override {
    return {.description = "says OK, but stops half way in the step that passes `at` (last successful time)"};
  }

  StepReport step(double t, double h) override {
    if (!is_time(t + h)) return Wayward::step(t, h);
    return {.reached = Wayward::step(t, 0.5 * h).reached};
  }
};

}  // namespace

SEAM_WAYWARD(Lying)
