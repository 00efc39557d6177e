// Modes and inputs that the data do not support. Only source files of this room include it.
#pragma once

#include "seam/lti/identification.hpp"

namespace seam::analysis {

/// Leaves out modes of a sampled model one by one while it predicts these samples about as well without them, from
/// rest: what is left of noise would otherwise count as a pole of the subsystem, wherever it happens to lie. Then inputs
/// that no output answers.
struct Pruned {
  lti::StateSpace model;
  double error = 0.0;  ///< relative, of the worst output
};
Pruned pruned(const lti::StateSpace& model, const lti::Samples& samples);

}  // namespace seam::analysis
