// How fast a coupled run grows or decays in the end, found by running it.
#pragma once

#include "seam/engine/open/system.hpp"

namespace seam::testing {

/// Logarithm of the growth a macro step: the real steps, from a state at random, scaled back to size 1 again and again;
/// the slope of what the scalings add up to, when the first quarter has died away. Sources are silent.
enum class Equilibria {
  one,      ///< it rests at zero or not at all
  anywhere  ///< what stays for ever is taken away, so that the rest can be seen
};
double growth_rate(const engine::System& system, Equilibria equilibria);

/// The same of a system in which so many motions stand still or drift (integrators, one after the other): they are
/// taken away by as many differences between steps, as often as the rest has decayed.
double growth_rate_beside(const engine::System& system, int standing);

}  // namespace seam::testing
