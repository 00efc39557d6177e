// The times of a run, as FMUs are told them.
#pragma once

#include <optional>

namespace seam::fmi {

/// Times handed to the FMU before it initialises.
struct Experiment {
  double start = 0.0;
  std::optional<double> stop;       ///< never smaller than where the last step ends
  std::optional<double> tolerance;  ///< only if the user gave one
};

}  // namespace seam::fmi
