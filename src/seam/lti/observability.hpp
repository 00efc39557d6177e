// What those who look at the state of a model through its outputs have in common. Only source files of this room
// include it.
#pragma once

#include <cstddef>

namespace seam::lti {

/// How many numbers a matrix has.
inline std::size_t area(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

/// Directions of the state that the outputs show less than this do not count as seen.
inline constexpr double unseen = 1e-9;

}  // namespace seam::lti
