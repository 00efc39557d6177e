// How strong the loops of the coupled equations are: what comes back to a subsystem of what it sends.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "seam/analysis/linear_parts.hpp"
#include "seam/lti/norms.hpp"

namespace seam::analysis {

/// Frequencies, Hz.
struct Band {
  double from = 0.0, to = std::numeric_limits<double>::infinity();
};

/// The loop cut at the outputs of one member: L from what the others hear of it to what it then sends. With two members
/// L = Q1 Q2 (Chen 2021 (thesis), section 2.4.1). If its norm is below 1 the loop is stable however it is delayed
/// (small gain, which assumes that all else is stable by itself); above 1 nothing follows.
struct Loop {
  int member = -1;
  std::string name;
  lti::PeakGain peak;              ///< over all frequencies, rad/s
  double in_band = 0.0;            ///< largest gain in the band
  double in_band_frequency = 0.0;  ///< rad/s
};

/// One for each member to which something of what it sends comes back. A loop of direct feed-through without a solution
/// is left out.
std::vector<Loop> loop_gains(const assembly::Assembly& assembly, const LinearParts& linear, const Band& band);

/// Of one member, by the equations of its loop alone. None if direct feed-through has no solution.
std::optional<Loop> loop_gain(const assembly::Assembly& assembly, const LinearParts& linear, int member,
                              const Band& band);

}  // namespace seam::analysis
