// What a run makes of signals that pass a compensator, with the images of sampler and hold: the weighted error does not
// show them. The hold has order zero, as in a run, and the poles must decay.
#pragma once

#include "seam/analysis/error_system.hpp"
#include "seam/coupling/filters.hpp"

namespace seam::analysis {

/// Root mean square error of settled tones of amplitude 1, evenly spaced up to 0.3/H like the sweep of Chen et al.
/// 2021, section 3.4, at the micro points.
double tone_error(const ErrorSystem& system, const Compensator& compensator, int micro_steps,
                  coupling::FilterSolver solver);

/// Root mean square error over 20 macro steps from a kink on, in units of slope times H, over places of the kink
/// between two communication points.
double kink_error(const ErrorSystem& system, const Compensator& compensator, int micro_steps,
                  coupling::FilterSolver solver);

}  // namespace seam::analysis
