// What a user may say about an analysis, as texts.
#pragma once

#include <string>

#include "seam/engine/predict/outlook.hpp"

namespace seam::engine {

struct OutlookFlags {
  std::string sweep;  ///< "step=1ms:10ms:10": from, to, how many
  std::string band;   ///< "0.5:5" or "0.5 Hz:5 Hz"
  std::string time;   ///< "2s"
};

/// Throws base::ProblemsFound for what cannot be read.
OutlookRequest read_outlook_flags(const OutlookFlags& flags);

}  // namespace seam::engine
