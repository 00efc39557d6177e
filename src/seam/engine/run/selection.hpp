// Which variables of a system are recorded: what its patterns choose, or what is recorded where there are none.
#pragma once

#include <string>
#include <vector>

#include "seam/coupling/compile.hpp"
#include "seam/stepping/columns.hpp"
#include "seam/system/description.hpp"

namespace seam::engine {

/// What is recorded of one member.
struct Selection : coupling::RecordRequest {
  std::vector<int> inputs = {};
};

/// In the order of the members. Patterns that choose nothing are problems. Without patterns: the connected ports, all
/// ports where nothing is connected, and the local variables of an FMU without outputs.
std::vector<Selection> select(const system::SystemDescription& description, const assembly::Assembly& assembly,
                              base::Problems& problems);

/// Whether the local variables of an FMU without outputs are recorded where no pattern says so.
bool has_few_locals(const std::vector<assembly::Observable>& variables);

/// Of FMUs whose local variables are too many for that: how to record them.
std::vector<std::string> selection_notices(const system::SystemDescription& description,
                                           const assembly::Assembly& assembly);

/// Whether a pattern chooses a port: by its name, or as SUBSYSTEM.outputs or SUBSYSTEM.inputs.
bool chosen_by(const std::string& pattern, const std::string& port, stepping::Direction direction,
               const std::string& subsystem);

}  // namespace seam::engine
