// Compensators that a plan leaves to be found.
#pragma once

#include "seam/base/problem.hpp"
#include "seam/system/plan.hpp"

namespace seam::analysis {

/// Writes the compensator of every connection that asks for one into the plan, found for the micro steps of its source.
/// One that the user gave is left as it is. A compensator that fails its own check is a problem.
void complete_compensators(const system::SystemDescription& description, system::Plan& plan, base::Problems& problems);

}  // namespace seam::analysis
