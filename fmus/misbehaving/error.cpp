#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Failing final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "returns Error from the step that passes `at`"}; }

  StepReport step(double t, double h) override {
    if (!is_time(t + h)) return Wayward::step(t, h);
    log(Status::error, "the step could not be computed", LogForm::text);
    return {Status::error, t};
  }
};

}  // namespace

SEAM_WAYWARD(Failing)
