// Which outputs a step writes, and what is read beside them when it is recorded.
#pragma once

#include "seam/coupling/advance.hpp"
#include "seam/coupling/compile.hpp"

namespace seam::coupling {

/// Which outputs every lane writes and evaluates, and which discrete values it gives and takes. To be asked when
/// everything else is known of the lanes.
void choose_outputs(const assembly::Assembly& assembly, const CompileOptions& options, Parts& parts);

/// Reads all of it into the memory.
void observe(const Program& program, Memory& memory);

/// An observed output that is not sound, as advance tells of others; accepted if there is none.
Advance look_at_observed(const Program& program, const Memory& memory);

}  // namespace seam::coupling
