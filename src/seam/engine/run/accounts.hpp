// What a run says of itself afterwards: where its time went, and which FMUs took part.
#pragma once

#include "seam/engine/run/run.hpp"

namespace seam::engine {

/// Spreads the wall time over subsystems, recording and the rest, from the steps that were watched.
void account_for_time(const coupling::Program& program, RunSummary& summary);

std::vector<FmuVersion> fmu_versions(const System& system);

}  // namespace seam::engine
