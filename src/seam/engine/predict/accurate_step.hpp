// The largest macro step at which a plan is accurate enough and far enough from the limit of stability.
#pragma once

#include "seam/engine/predict/method_outlook.hpp"

namespace seam::engine {

struct StepSearch {
  PlanAt plan_at;
  std::optional<analysis::StableSteps> steps;  ///< of that plan
  analysis::Band band;                         ///< of the excitation
  double goal = 0.0;                           ///< expected NRMSE of the worst output
};

/// With two digits, or a multiple of the micro and solver steps that are given. None if no step reaches the goal.
std::optional<SweepPoint> largest_accurate_step(const Rehearsal& rehearsal, const StepSearch& search);

}  // namespace seam::engine
