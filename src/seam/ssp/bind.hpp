// Parameter bindings of all levels: which value every variable of a subsystem gets.
#pragma once

#include "seam/ssp/graph.hpp"

namespace seam::ssp {

/// Fills `set` of the subsystems. At one level a later binding wins, a higher level wins over a lower one.
void bind(const Element& root, const Graph& graph, Flat& flat, base::Problems& problems);

}  // namespace seam::ssp
