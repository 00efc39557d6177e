// Transfer functions given by their roots, as chains of small sections: of many poles near each other a companion
// matrix keeps only half of the digits, a chain nearly all.
#pragma once

#include <complex>
#include <vector>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// gain * prod(p - zero)/prod(p - pole). Roots that are not real come in conjugate pairs.
struct Factored {
  std::vector<std::complex<double>> zeros, poles;
  double gain = 0.0;
};

/// x' = A x + B u, y = C x + D u with this transfer function, which must be proper: sections of order 2, and one of
/// order 1 if the number of poles is odd, each with gain 1 at rest. A is lower triangular in blocks.
StateSpace realise_in_sections(const Factored& function);

}  // namespace seam::lti
