// From every input of a subsystem back to the output that feeds it, through the connectors of all systems between.
#pragma once

#include "seam/ssp/carry.hpp"
#include "seam/ssp/graph.hpp"

namespace seam::ssp {

/// `described` is the flat description with its ports filled in. Adds connections and aliases to `flat`.
void connect(const Graph& graph, const system::SystemDescription& described, Flat& flat, base::Problems& problems);

/// The unit of a connector: what its file says, else what the subsystem behind it says.
Measure measure_of(const Vertex& vertex, const Flat& flat);

}  // namespace seam::ssp
