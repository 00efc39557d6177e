// A stop time off the grid gets one shorter last step; a lane that is split crosses it in equal parts no longer than
// its micro step.
#pragma once

#include <algorithm>
#include <cmath>

namespace seam::coupling {

/// `fraction` is the length of the last step in macro steps.
inline int segments_of_last_step(int segments, double fraction) {
  return std::max(1, static_cast<int>(std::ceil(segments * fraction - 1e-9)));
}

}  // namespace seam::coupling
