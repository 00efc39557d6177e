#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Restless final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override {
    return {.description = "from the step that passes `at` on, each update of its discrete states wants another"};
  }

  StepReport step(double t, double h) override {
    StepReport report = Wayward::step(t, h);
    if (is_time(t + h)) report.event = StepReport::Event::awaits_handling;
    return report;
  }
  EventReport update() override {
    using Iteration = EventReport::Iteration;
    return {.iteration = is_time(memory().time) ? Iteration::goes_on : Iteration::converged};
  }
};

}  // namespace

SEAM_WAYWARD(Restless)
