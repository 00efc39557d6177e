// A linear system as the sum of its modes.
#pragma once

#include <optional>
#include <vector>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// One part a real pole, one a pair of complex ones, each without feed-through: their answers and D u add up to the
/// answer of the system. None if the modes cannot be told apart (chains of equal poles, as a free mass has).
std::optional<std::vector<StateSpace>> modal_parts(const StateSpace& system);

/// The sum of parts that lie side by side; their own feed-through is not looked at.
StateSpace sum_of(const std::vector<StateSpace>& parts, const Matrix& D);

}  // namespace seam::lti
