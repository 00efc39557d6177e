#include <unistd.h>

#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Hanging final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "never returns from the step that passes `at`"}; }

  StepReport step(double t, double h) override {
    while (is_time(t + h)) pause();
    return Wayward::step(t, h);
  }
};

}  // namespace

SEAM_WAYWARD(Hanging)
