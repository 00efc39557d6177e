// A pure delay on the grid of its solver.
#pragma once

#include <string>

#include "seam/models/model.hpp"

namespace seam::models {

struct Delay {
  double time = 0.0;         ///< s, at least 0
  double solver_step = 0.0;  ///< s; the step the subsystem is really solved with
  double initial = 0.0;      ///< the input before the start
  std::string unit;
};

/// How many values of the past the delay keeps.
double delay_states(const Delay& delay);

/// y(t) = u(t - time): the inputs at the ends of past solver steps are the states, newest first; a delay that is no
/// multiple of the step interpolates linearly between the two nearest. Only one shorter than a step feeds through.
Model delay(const Delay& delay);

}  // namespace seam::models
