// Bringing models of nearly the same system into the same coordinates.
#pragma once

#include <optional>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// The same equations in other states: those in which the outputs, left alone for `span` seconds, are nearest to the
/// reference's (least squares over samples of C e^{A t}). None if the outputs do not show all states.
std::optional<StateSpace> aligned(const StateSpace& equations, const StateSpace& reference, double span);

}  // namespace seam::lti
