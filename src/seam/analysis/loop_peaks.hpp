// The largest gain of a loop from its closed form, for systems whose own matrices would be too large to be taken apart
// once a loop.
#pragma once

#include <optional>

#include "seam/lti/modes.hpp"

namespace seam::analysis {

struct Peak {
  double gain = 0.0, frequency = 0.0;  ///< rad/s
};

struct FrequencyRange {
  double from = 0.0, to = 0.0;  ///< rad/s
};

struct LoopPeaks {
  Peak anywhere, in_band;
};

/// Of L = T (I + T)^-1, T = `closed` with poles that all decay. det(I + T) has the poles of the open loop as its zeros:
/// frequencies are looked at so closely that it never turns by more than half a radian between two of them, so that no
/// resonance is missed and its turns count the poles of the open loop that do not decay. None if there are such, or one
/// on the axis.
std::optional<LoopPeaks> loop_peaks(const lti::ModalSystem& closed, const FrequencyRange& band);

}  // namespace seam::analysis
