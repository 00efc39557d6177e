// Whether a system with as many inputs as outputs can give out more energy than was put in.
#pragma once

#include "seam/lti/frequency_response.hpp"

namespace seam::lti {

struct Passivity {
  enum class Verdict {
    passive,  ///< G + G^H has no negative eigenvalue on the axis, and no pole lies outside
    lost,     ///< it has one, at `frequency`
    unstable  ///< a pole lies outside: it gives out energy by itself
  } verdict = Verdict::passive;
  double least = 0.0;      ///< the smallest eigenvalue of G + G^H over all frequencies
  double frequency = 0.0;  ///< where that is
  /// Poles on the boundary (a free mass): the axis of the test lies this far inside the unstable region, in rad/s or as
  /// the radius beyond 1. 0 where all poles lie inside.
  double shift = 0.0;
};

/// The product of inputs and outputs is the power put in. Throws base::Error(internal) unless the system is square.
Passivity passivity(const StateSpace& system, TimeDomain domain);

}  // namespace seam::lti
