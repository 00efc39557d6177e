// At which macro steps a coupling is stable: the set of them need not be an interval.
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace seam::analysis {

/// Spectral radius at a macro step; none where it is not known there.
using RadiusAt = std::function<std::optional<double>(double step)>;

struct StepRange {
  double from = 0.0, to = 0.0;      ///< s
  std::optional<double> unit = {};  ///< s; only multiples of it are possible
  int points_a_decade = 40;         ///< of the scan; 10 where the radius is smooth
  double resolution = 1e-11;        ///< relative, of a passage through 1
};

struct StableSteps {
  struct Interval {
    double from = 0.0, to = 0.0;  ///< s; the spectral radius passes 1 there, or the range ends
  };
  std::vector<Interval> intervals;  ///< rising
  StepRange examined;

  /// Where stability is lost for the first time; none if it is not stable from the smallest step on.
  std::optional<double> first_loss() const;
  /// Whether nothing was lost up to the largest step examined.
  bool throughout() const;
};

/// The range is scanned, so many points a decade or every multiple of the unit (at most 400); peaks and dips of the
/// radius between points are looked into, and every passage through 1 is found. A radius within
/// `margin` of 1 counts as not stable.
StableSteps stable_steps(const RadiusAt& radius, const StepRange& range, double margin = 1e-12);

}  // namespace seam::analysis
