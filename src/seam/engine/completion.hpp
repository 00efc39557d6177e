// The common end of every way to a system: changed as asked, described, resolved, validated, with a complete plan.
#pragma once

#include "seam/base/problem.hpp"
#include "seam/engine/system.hpp"

namespace seam::engine {

/// Throws base::ProblemsFound with all that was found, here and before.
System completed(system::SystemDescription description, const Changes& changes, base::Problems& problems);

}  // namespace seam::engine
