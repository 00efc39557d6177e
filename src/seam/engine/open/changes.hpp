// What flags change in a description that was read from a file.
#pragma once

#include "seam/base/problem.hpp"
#include "seam/engine/open/system.hpp"

namespace seam::engine {

/// All but `set`, which comes first. Flags win over the file. A problem shows the flag as the user wrote it.
void apply(const Changes& changes, system::SystemDescription& description, base::Problems& problems);

void apply(const CouplingChanges& changes, system::SystemDescription& description);
void record_variables(const std::vector<std::string>& patterns, system::SystemDescription& description);

/// What the texts say; a part that is wrong is left out, with a problem.
CouplingChanges read_coupling_changes(const Changes& changes, base::Problems& problems);

/// NAME[,key=value...], or {NAME: {key: value}} as in a file; only after problems it is empty.
system::MethodRequest parse_method(const std::string& flag, const std::string& text, base::Problems& problems);

}  // namespace seam::engine
