// A compensator with its poles inside a disc, as close to the smallest weighted error as its number of poles allows.
#pragma once

#include "seam/analysis/error_system.hpp"

namespace seam::analysis {

struct SearchRequest {
  ErrorSystem system;
  double micro_steps = 10.0;  ///< r = H/h: the disc is |1 + lambda/r| < radius
  double radius = 0.95;
  double gain = 0.0;  ///< K1(infinity) may not be larger
  int poles = 6;
  enum class StaticGain { free, one } static_gain = StaticGain::free;
};

/// K1 = k Q(p) E(p)/prod(p - lambda), with E the denominator of K2 H* and Q a monic polynomial. Both poles and Q are
/// moved (Levenberg-Marquardt) to lower the p-norm of |Tue| over the frequencies, p growing until the largest value
/// counts alone. Started from several places, all the same in every call; the exact norm decides which is best.
Compensator search_compensator(const SearchRequest& request);

}  // namespace seam::analysis
