// The backward Euler method, as the inner solver of co-simulation FMUs for stiff equations.
#pragma once

#include "seam/ode/ode.hpp"

namespace seam::fmus {

/// [begin, begin + length], covered in equal steps.
struct Course {
  double begin = 0.0, length = 0.0;  ///< s
  int steps = 1;
};

/// Under held inputs: x+ = x + h f(t+, x+, u), by Newton's method.
void advance_implicitly(const ode::Ode& ode, const Course& course, ode::In u, ode::Out x);

}  // namespace seam::fmus
