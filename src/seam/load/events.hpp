// What the events of an experiment are about: which input or parameter, and which value in its own type and unit.
#pragma once

#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::load {

/// Fills every target that is not yet resolved. Needs ports and resolved connections; a variable that cannot be changed
/// while running, or not in this way, is a problem that says why.
void resolve_events(system::SystemDescription& description, base::Problems& problems);

}  // namespace seam::load
