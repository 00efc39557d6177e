// What flags change in a description that was read from a file.
#pragma once

#include "seam/base/problem.hpp"
#include "seam/engine/system.hpp"

namespace seam::engine {

/// All but `set`, which comes first. Flags win over the file. A problem shows the flag as the user wrote it.
void apply(const Changes& changes, system::SystemDescription& description, base::Problems& problems);

/// NAME[,key=value...], or as in a file; only after problems it is empty.
system::CouplingRequest parse_coupling(const std::string& text, base::Problems& problems);
/// The same as the text of it among changes.
void apply_coupling(system::CouplingRequest coupling, system::SystemDescription& description);

}  // namespace seam::engine
