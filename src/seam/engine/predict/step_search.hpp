// The largest macro step of a plan that reaches a goal. Only source files of this room include it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "seam/engine/predict/method_outlook.hpp"

namespace seam::engine {

/// The plan at a step at which the fastest motion of the coupled equations is sampled often: where a search begins that
/// is not to depend on the step of the plan.
system::Plan plan_for_search(const Rehearsal& rehearsal, const analysis::Band& band);

/// For the largest macro step at which a plan is accurate enough and far enough from the limit of stability.
struct StepSearch {
  PlanAt plan_at;
  std::optional<analysis::StableSteps> steps;  ///< of that plan
  analysis::Band band;                         ///< of the excitation
  double goal = 0.0;                           ///< expected NRMSE of the worst output
};

struct StepFound {
  std::optional<SweepPoint> point;    ///< none if no step reaches the goal
  std::optional<SweepPoint> nearest;  ///< then: the smallest error of the steps that were tried
};

/// With two digits, or a multiple of the micro and solver steps that are given; a little shorter, if the experiment and
/// what is recorded are whole multiples of it then.
StepFound largest_accurate_step(const Rehearsal& rehearsal, const StepSearch& search);
/// "the smallest is 1.2 % (foh, 1 ms)"; empty if there is none. One a search, with its words.
std::string words_of_nearest(const std::vector<std::pair<std::string, std::optional<SweepPoint>>>& searches);

struct Confirmation {
  std::optional<SweepPoint> point;  ///< none: it is not borne out, nor with shorter steps
  std::string why_not;              ///< then: "at 2.1 ms … expected, but …", of the step that was found
};

/// Before a plan is written FMUs are probed again for it, at the operating point and for the band that were asked for,
/// and run for a short time beside their models; its step is shortened until that says the same.
Confirmation confirm(const Rehearsal& rehearsal, const StepSearch& search, const SweepPoint& found,
                     const OutlookRequest& asked);

}  // namespace seam::engine
