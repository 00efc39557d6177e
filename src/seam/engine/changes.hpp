// What flags change in a description that was read from a file.
#pragma once

#include "seam/base/problem.hpp"
#include "seam/engine/system.hpp"

namespace seam::engine {

/// All but `set`, which comes first. Flags win over the file. A problem shows the flag as the user wrote it.
void apply(const Changes& changes, system::SystemDescription& description, base::Problems& problems);

}  // namespace seam::engine
