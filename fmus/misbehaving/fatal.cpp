#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Dying final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "returns Fatal from the step that passes `at`"}; }

  StepReport step(double t, double h) override {
    if (!is_time(t + h)) return Wayward::step(t, h);
    log(Status::fatal, "the model is corrupt", LogForm::text);
    return {Status::fatal, t};
  }
};

}  // namespace

SEAM_WAYWARD(Dying)
