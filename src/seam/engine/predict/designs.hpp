// The designs of a file side by side: the same parts coupled one way or the other.
#pragma once

#include <string>
#include <vector>

#include "seam/engine/predict/outlook.hpp"

namespace seam::engine {

struct DesignOutlook {
  std::string name;                ///< empty: the file as it is
  std::string problem;             ///< why it cannot be analysed; empty: it can
  std::optional<double> radius;    ///< at the plan's step
  std::optional<double> limit;     ///< s: largest step up to which it is stable; none if it is not stable at small ones
  bool stable_throughout = false;  ///< at every step that was looked at: `limit` is the largest of them
  double loop_gain = 0.0;          ///< smallest norm of the loop over all places to cut it; may be infinite
  double loop_gain_in_band = 0.0;  ///< the same above a tenth of the Nyquist frequency, where the coupling acts
};

struct DesignComparison {
  std::vector<DesignOutlook> designs;  ///< the file as it is comes first
  int recommended = -1;                ///< the one with the largest stable step; -1: none is stable
  /// Whether the loop gain in the band, which stands for the ratio of the impedances at the cut, says the same as the
  /// largest stable step: a rule of thumb that does not hold everywhere.
  enum class Rule { holds, fails, not_known } rule = Rule::not_known;
};

/// Of the file with these changes. FMUs are probed once for every design.
DesignComparison compare_designs(const std::string& path, const Changes& changes, const OutlookRequest& request);

}  // namespace seam::engine
