// A short run of the coupled system beside what its linear models say of it. Only source files of this room include it.
#pragma once

#include <optional>

#include "seam/engine/predict/rehearsal.hpp"

namespace seam::engine {

/// Everything that is exchanged is disturbed at the operating point, as much as it moves by itself, and the plan of the
/// system is run for some steps: with its subsystems, on instances of their own, and with the models. Relative, of the
/// worst connected output: how far apart both answers are. None if such a run cannot be made.
std::optional<double> distance_in_a_short_run(const System& system, const Rehearsal& models,
                                              const std::optional<double>& time);

}  // namespace seam::engine
