// Linear models for a corrector, where it wants those that are found by moving inputs before the run.
#pragma once

#include <vector>

#include "seam/coupling/compile.hpp"
#include "seam/engine/open/system.hpp"

namespace seam::engine {

/// Those of FMUs at the start of the experiment; nothing if the plan does not ask for probed models. What could not be
/// found out is added to `notices`.
std::vector<coupling::GivenModel> corrector_models(const System& system, std::vector<std::string>& notices);

}  // namespace seam::engine
