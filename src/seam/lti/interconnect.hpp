// Linear systems wired together: the one system they are.
#pragma once

#include <optional>
#include <vector>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// x' = A x + B w, y = C x + D w of all parts stacked, with u = K y + E w (K: all inputs x all outputs, E: all inputs x
/// external inputs). None if the direct feed-through forms a loop without a unique solution (I - K D singular).
std::optional<StateSpace> interconnect(const std::vector<StateSpace>& parts, const Matrix& K, const Matrix& E);

}  // namespace seam::lti
