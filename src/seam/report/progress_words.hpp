// How far a run is, in one line for a terminal.
#pragma once

#include <string>

#include "seam/engine/run/run.hpp"

namespace seam::report {

/// "car [#####.....]  50 %  5 of 10 s, 2 times real time, 2.5 s left"; `elapsed` is the wall time so far, s.
std::string progress_words(const std::string& name, const stepping::Progress& progress, double elapsed);

/// A duration as a person reads it: "0.4 s", "25 s", "3 min 20 s", "2 h 5 min".
std::string duration_words(double seconds);

}  // namespace seam::report
