// The order in which subsystems step under Gauss-Seidel.
#pragma once

#include <vector>

#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::coupling {

/// The order the user gave, or one in which few connections lead from a later to an earlier subsystem. Indices of all
/// subsystems that step.
std::vector<int> choose_turns(const system::SystemDescription& description, base::Problems& problems);

}  // namespace seam::coupling
