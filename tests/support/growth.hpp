// How fast a coupled run grows or decays in the end, found by running it.
#pragma once

#include "seam/engine/open/system.hpp"

namespace seam::testing {

/// Logarithm of the growth a macro step, beside so many motions that stand still or drift for ever (integrators, one
/// after the other). The real steps, from states at random, made orthonormal again and again: the slopes of what the
/// scalings add up to are the Lyapunov exponents (Benettin et al. 1980, doi:10.1007/BF02128236), and the largest of
/// them is wanted without as many as stand, which are nearest to 0. Sources are silent.
double growth_rate(const engine::System& system, int standing);

}  // namespace seam::testing
