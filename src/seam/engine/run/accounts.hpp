// What a run says of itself afterwards: where its time went, which FMUs took part, what its corrector had to do
// without.
#pragma once

#include "seam/coupling/memory.hpp"
#include "seam/coupling/program.hpp"
#include "seam/engine/run/run.hpp"

namespace seam::engine {

/// Spreads the wall time over subsystems, recording and the rest, from the steps that were watched.
void account_for_time(const coupling::Program& program, RunSummary& summary);

std::vector<FmuVersion> fmu_versions(const System& system);

/// Of a run that came to its end; FMUs are asked for their derivatives, so it comes last.
void tell_of_held_outputs(const System& system, const Live& live, const coupling::Memory& memory, RunSummary& summary);

void tell_of_corrector(const coupling::Program& program, const coupling::Memory& memory, RunSummary& summary);

}  // namespace seam::engine
