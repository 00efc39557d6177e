// The backward Euler method, as the inner solver of co-simulation FMUs for stiff equations.
#pragma once

#include "seam/ode/ode.hpp"

namespace seam::fmus {

/// Covers [t, t + h] in `steps` equal steps under held inputs: x+ = x + h f(t+, x+, u), by Newton's method.
void advance_implicitly(const ode::Ode& ode, double t, double h, int steps, ode::In u, ode::Out x);

}  // namespace seam::fmus
