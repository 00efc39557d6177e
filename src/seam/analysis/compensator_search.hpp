// Compensators with their poles inside a disc, as close to the smallest weighted error as their number of poles allows.
#pragma once

#include <vector>

#include "seam/analysis/error_system.hpp"

namespace seam::analysis {

struct SearchRequest {
  ErrorSystem system;
  double micro_steps = 10.0;  ///< r = H/h: the disc is |1 + lambda/r| < radius
  double radius = 0.95;
  double gain = 0.0;  ///< K1(infinity) may not be larger
  int poles = 6;
  /// Where poles begin, around -centre: they do not move far, and where they are is a choice.
  struct Circle {
    double centre, radius;
  };
  std::vector<Circle> starts;  ///< while the zeros that cancel the poles of K2 H* are kept
  Circle start{};              ///< where all zeros are free from the begin
  enum class StaticGain { free, one } static_gain = StaticGain::free;
};

struct FoundCompensators {
  Compensator unrefined;             ///< the best one with zeros that cancel the poles of K2 H*
  std::vector<Compensator> refined;  ///< all zeros free: from there on, and from the other start
};

/// K1 = k Q(p)/prod(p - lambda) with Q monic. Poles, Q and k are moved together (damped Newton steps) to lower the
/// 2q-norm of Tue over the frequencies, q growing until the largest value counts alone.
FoundCompensators search_compensators(const SearchRequest& request);

}  // namespace seam::analysis
