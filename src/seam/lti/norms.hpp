// The largest gain of a linear system over all frequencies.
#pragma once

#include "seam/lti/frequency_response.hpp"

namespace seam::lti {

struct PeakGain {
  double norm = 0.0;                    ///< infinite unless all poles lie inside
  double frequency = 0.0;               ///< where the gain is that large (of a boundary or outer pole: its own)
  PolePlace poles = PolePlace::inside;  ///< says why the norm is infinite
};

/// The H-infinity norm, to 1e-10 relative: the largest singular value of G over the axis of stability. A pole that no
/// input or output sees counts as a pole.
PeakGain h_infinity_norm(const StateSpace& system, TimeDomain domain);

}  // namespace seam::lti
