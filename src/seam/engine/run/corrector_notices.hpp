// What a run says of its corrector: what it had to do without, where it held back.
#pragma once

#include "seam/coupling/memory.hpp"
#include "seam/coupling/program.hpp"
#include "seam/engine/run/run.hpp"

namespace seam::engine {

void tell_of_corrector(const coupling::Program& program, const coupling::Memory& memory, RunSummary& summary);

}  // namespace seam::engine
