// How far a run is, in one line for a terminal.
#pragma once

#include <string>

#include "seam/engine/run.hpp"

namespace seam::report {

/// "car [#####.....]  50 %  5 of 10 s, 2 times real time, 2.5 s left"; `elapsed` is the wall time so far, s.
std::string progress_words(const std::string& name, const stepping::Progress& progress, double elapsed);

}  // namespace seam::report
