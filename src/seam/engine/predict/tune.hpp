// A plan that reaches a goal: the largest step that is accurate enough, or the most accurate method at a step.
#pragma once

#include <optional>
#include <string>

#include "seam/engine/predict/outlook.hpp"

namespace seam::engine {

struct TuneGoal {
  std::optional<double> error;  ///< expected NRMSE of the worst output; none: the best method at the plan's step
  OutlookRequest outlook;       ///< band and operating point
};

struct Tuned {
  std::string coupling;
  system::Feedthrough feedthrough = system::Feedthrough::held;
  double step = 0.0;    ///< s
  double error = 0.0;   ///< expected
  double radius = 0.0;  ///< spectral radius at that step
  /// How far the FMUs, coupled by this plan, are from their models; none if there are no probed ones.
  std::optional<double> in_a_short_run;
  std::optional<double> largest_step;  ///< s, at which this method stays stable
  bool stable_throughout = false;      ///< `largest_step` is only the largest that was looked at
  double error_before = 0.0;           ///< of the plan as it is; infinite if it is not known
  std::string why_not_known;           ///< in two words
  std::string text;                    ///< the plan file, with the reasons as comments
};

/// Throws base::ProblemsFound if nothing is known or no method reaches the goal.
Tuned tune(const System& system, const TuneGoal& goal);

/// <name>.plan.yaml in the current folder.
std::string plan_file_name(const System& system);

/// Writes the plan; throws base::ProblemsFound if the file is there and must stay.
enum class Existing { stays, is_replaced };
void write_plan(const Tuned& tuned, const std::string& file, Existing existing);

}  // namespace seam::engine
