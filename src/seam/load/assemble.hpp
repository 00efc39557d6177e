// From a description to subsystems that can be stepped.
#pragma once

#include <optional>

#include "seam/assembly/assembly.hpp"
#include "seam/base/problem.hpp"
#include "seam/system/plan.hpp"

namespace seam::load {

/// Fills in what only the models know: ports, which subsystems are signals known ahead of time, the solver where none
/// was given.
void describe(system::SystemDescription& description, base::Problems& problems);

/// The live system; the description is described, resolved and free of problems.
std::optional<assembly::Assembly> assemble(const system::SystemDescription& description, const system::Plan& plan,
                                           base::Problems& problems);

}  // namespace seam::load
