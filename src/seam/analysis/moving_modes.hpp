// How the eigenvalues of a macro step move with its length, and where between two lengths that are known the spectral
// radius may have a peak.
#pragma once

#include <optional>
#include <vector>

#include "seam/analysis/stability.hpp"

namespace seam::analysis {

/// An eigenvalue z near the unit circle.
struct MovingMode {
  Complex log;   ///< log z
  Complex rate;  ///< d(log z)/d(step), 1/s
};

/// Those of a macro step of one length.
struct MovingModes {
  double step = 0.0;    ///< s
  double radius = 0.0;  ///< spectral radius
  double apart = 0.0;   ///< s, of the second length that the rates are differences from
  std::vector<MovingMode> modes = {};
};

/// From the modes of a step and of one that is longer by `apart`. None if not all eigenvalues were found.
std::optional<MovingModes> moving_modes(double step, const StepModes& here, double apart, const StepModes& there);

struct PeakForecast {
  /// Into how many parts the stretch has to be divided before anything can be told: eigenvalues move too far in it or
  /// cannot be followed through it. 1: it need not be.
  int parts = 1;
  std::vector<double> steps = {};  ///< s, rising: where the radius may exceed 1
};

/// Between two steps whose radius is below 1. Each logarithm of an eigenvalue is followed from one end to the other,
/// and of each two that may meet in between their mean and the square of half their difference, which stay smooth where
/// they meet: there the two may leave the unit circle for a short stretch of steps (the instability of two modes whose
/// frequencies differ by a multiple of that of the exchange, or of one mode with its mirror image).
PeakForecast peaks_between(const MovingModes& a, const MovingModes& b);

}  // namespace seam::analysis
