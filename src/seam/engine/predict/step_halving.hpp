// A reference for systems whose equations are not available: explicit runs with half the step each, until two agree.
#pragma once

#include <functional>
#include <vector>

#include "seam/engine/predict/reference.hpp"
#include "seam/record/recorder.hpp"

namespace seam::engine {

/// Makes the recorder that keeps a reference with these columns; the caller owns it.
using KeepRows = std::function<record::Recorder&(const std::vector<stepping::Column>& columns)>;

/// How near two runs must come, and where the last of them is kept.
struct HalvingRequest {
  double agree = 1e-6;
  KeepRows keep;
};

/// Throws base::ProblemsFound if no two runs agree.
void halve_until_agreed(const System& system, const RunSettings& settings, const HalvingRequest& request,
                        ReferenceSummary& summary);

}  // namespace seam::engine
