// A mass that owns a coupling whose damper follows a power of the speed.
#pragma once

#include "seam/models/model.hpp"

namespace seam::models {

/// SI units; `damping` is the damper's factor at 1 m/s.
struct MassPowerDamper {
  double mass = 1.0;
  double ground_spring = 0.0, ground_damper = 0.0;
  double spring = 0.0, damping = 0.0;
  double exponent = -0.5;  ///< from -1 (dry friction) on; 0: a linear damper
  double limit = 1e5;      ///< N.s/m, largest factor
  double x0 = 0.0, v0 = 0.0;
};

/// Ports and states of a mass chain of one mass with a coupling of kind `spring`: inputs f1, x_in, v_in; outputs x1,
/// v1, a1, F; states x1, v1. F = spring (x - x_in) + factor (v - v_in) with the factor
/// min(damping |v - v_in|^exponent, limit): eq. 38 of Haid et al. (2018), whose printed exponent does not fit its own
/// results, with -1/2.
Model mass_power_damper(const MassPowerDamper& parameters);

}  // namespace seam::models
