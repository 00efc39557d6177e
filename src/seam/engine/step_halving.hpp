// A reference for systems whose equations nobody sees: explicit runs with half the step each, until two agree.
#pragma once

#include "seam/engine/reference.hpp"

namespace seam::engine {

/// Writes the last of the runs to `summary.file`. Throws base::ProblemsFound if no two runs agree.
void halve_until_agreed(const System& system, const RunSettings& settings, double agree, ReferenceSummary& summary);

}  // namespace seam::engine
