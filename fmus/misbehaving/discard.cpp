#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Discarding final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "discards the step that passes `at`, whatever its size"}; }

  StepReport step(double t, double h) override {
    if (!is_time(t + h)) return Wayward::step(t, h);
    log(Status::discard, "the step is too hard", LogForm::text);
    if (version() == Version::fmi3) return {Status::discard, t};
    Wayward::step(t, 0.5 * h);
    return {Status::discard, t + 0.5 * h};
  }
};

}  // namespace

SEAM_WAYWARD(Discarding)
