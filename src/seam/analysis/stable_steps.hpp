// At which macro steps a coupling is stable: the set of them need not be an interval.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "seam/analysis/stability.hpp"

namespace seam::analysis {

/// The modes of a macro step of this length; none where they are not known.
using ModesAt = std::function<std::optional<StepModes>(double step)>;

struct StepRange {
  double from = 0.0, to = 0.0;      ///< s
  std::optional<double> unit = {};  ///< s; only multiples of it are possible
  int points_a_decade = 40;         ///< of the scan; 10 where the radius is smooth
  double resolution = 1e-11;        ///< relative, of a passage through 1
  /// How often modes may be asked for to find what the scan has missed inside the intervals. 0: the modes are not
  /// smooth enough in the step to be followed from one to the next.
  int gap_looks = 0;
};

struct StableSteps {
  struct Interval {
    double from = 0.0, to = 0.0;  ///< s; the spectral radius passes 1 there, or the range ends
  };
  std::vector<Interval> intervals;  ///< rising
  StepRange examined;
  /// Up to this step the intervals were searched for gaps, down to 0.2 % of a step; none: not at all, since only the
  /// points of the scan are known.
  std::optional<double> searched_to;

  /// Where stability is lost for the first time; none if it is not stable from the smallest step on.
  std::optional<double> first_loss() const;
  /// Whether nothing was lost up to the largest step examined.
  bool throughout() const;
};

/// The range is scanned, so many points a decade or every multiple of the unit (at most 400); peaks and dips of the
/// radius between points are looked into, and every passage through 1 is found. Where modes may be followed
/// (`gap_looks`), narrow gaps are forecast from how they move. A radius within `margin` of 1 counts as not stable.
StableSteps stable_steps(const ModesAt& modes, const StepRange& range, double margin = 1e-12);

}  // namespace seam::analysis
