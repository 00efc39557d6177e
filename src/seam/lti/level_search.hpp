// The largest value of a function of frequency, by level sets. Only source files of this room include it.
#pragma once

#include <functional>
#include <vector>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

struct Extreme {
  double value = 0.0;
  double frequency = 0.0;
};

struct LevelSearch {
  std::function<double(double)> value;  ///< at a frequency of 0 or more; the end of the axis is among the first points
  /// Frequencies among which are all where the function crosses the level; others may be among them.
  std::function<std::vector<double>(double)> crossings;
  std::vector<double> first;  ///< points to begin with
  double relative = 1e-10;    ///< nothing lies higher than the result by more than these
  double absolute = 0.0;
};

/// Boyd and Balakrishnan 1990, Bruinsma and Steinbuch 1990: between two neighbouring crossings of a level the function
/// lies above it or below it as a whole, so the midpoints find every region above. Every candidate is evaluated; no
/// tolerance decides which of them are crossings.
Extreme search_levels(const LevelSearch& search);

/// The frequencies of the eigenvalues of a Hamiltonian matrix, one for each, with their signs dropped.
std::vector<double> frequencies_of(const Matrix& hamiltonian);

/// The continuous system with the same values on its axis: G(z) at z = (1 + s)/(1 - s). No pole may lie at z = -1.
StateSpace bilinear(const StateSpace& discrete);

}  // namespace seam::lti
