// Connectors of systems are other names for the ports behind them: in flags, plans and lists of variables.
#pragma once

#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::engine {

/// The paths of the ports that the path of a change is another name for; itself if it is none. A connector whose values
/// would be converted on their way is a problem.
std::vector<std::string> without_aliases(const system::Setting& change, const system::SystemDescription& description,
                                         base::Problems& problems);

/// In the plan of connections, in events and in the list of variables.
void replace_aliases(system::SystemDescription& description, base::Problems& problems);

/// Whether numbers arrive as they were sent.
bool is_plain(const system::Connection& way);

/// From an input of the whole system to the ports behind it; none if there is no such input.
std::vector<system::Connection> ways_from(const std::string& name, const system::SystemDescription& description);

}  // namespace seam::engine
