// From what the user wrote to what it means: which ports a connection joins, and which request of the plan each of the
// connections and subsystems follows.
#pragma once

#include <vector>

#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::system {

/// Fills the indices of every connection and puts the unit conversion into its gain and offset (unit first, then the
/// user's gain and offset, which are in the sink's unit). A path is the longest subsystem name that fits, a dot, and
/// the port's name verbatim. Needs the ports of the subsystems; a connection that is already resolved stays as it is.
/// An end that cannot be found is a problem and keeps its index -1.
void resolve_paths(SystemDescription& description, base::Problems& problems);

/// The subsystem whose name is the longest that `path` begins with (followed by a dot), or -1.
int find_subsystem(const SystemDescription& description, std::string_view path);

/// The unit as the file defines it, else as it is usually defined.
std::optional<Unit> find_unit(const SystemDescription& description, std::string_view name);

/// What was asked for each connection and each subsystem, in the order of the description.
struct RequestedPlan {
  std::vector<const CouplingRequest*> connections;  ///< of the description, never null
  std::vector<SubsystemPlanRequest> subsystems;
  std::vector<bool> corrected;  ///< whether the corrector, if there is one, mends the connection
};

/// For a connection the most specific request as a whole: its sink by name, then the pattern with more literal
/// characters, then the plan's default. For a subsystem the same, key by key. Equally specific patterns are a problem,
/// and so is a pattern that matches nothing.
RequestedPlan spread(const SystemDescription& description, base::Problems& problems);

/// `a.y -> b.u` and `a.y[1:3] -> b.u[2:4]`, where the ports are y[1], y[2], …: one connection an element, in their
/// order. Ends that name single ports, or nothing at all, stay as they are. Shapes that differ are a problem.
void expand_arrays(SystemDescription& description, base::Problems& problems);

}  // namespace seam::system
