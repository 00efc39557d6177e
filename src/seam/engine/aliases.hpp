// Connectors of systems are other names for the ports behind them: in flags, plans and lists of variables.
#pragma once

#include <string>
#include <vector>

#include "seam/system/description.hpp"

namespace seam::engine {

/// `path=value` for every port that the path is another name for; itself if it is none.
std::vector<std::string> without_aliases(const std::vector<std::string>& set,
                                         const system::SystemDescription& description);

/// In the plan of connections, in events and in the list of variables.
void replace_aliases(system::SystemDescription& description);

}  // namespace seam::engine
