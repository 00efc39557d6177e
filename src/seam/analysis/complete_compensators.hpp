// Compensators that a plan leaves to be found.
#pragma once

#include <vector>

#include "seam/analysis/error_system.hpp"
#include "seam/base/problem.hpp"
#include "seam/system/plan.hpp"

namespace seam::analysis {

/// Writes the compensator of every connection that asks for one into the plan, found for the micro steps of its source.
/// One that the user gave is left as it is. A compensator that fails its own check is a problem.
void complete_compensators(const system::SystemDescription& description, system::Plan& plan, base::Problems& problems);

/// A compensator of the plan and what it is, for the micro steps of its source. Of one that the user gave, the error is
/// weighted as by default.
struct PlannedCompensator {
  int connection = -1;
  CompensatorReport report;
};
/// Those between subsystems that step.
std::vector<PlannedCompensator> planned_compensators(const system::SystemDescription& description,
                                                     const system::Plan& plan);

}  // namespace seam::analysis
