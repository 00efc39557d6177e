// Connections of whole arrays and of slices become connections of their elements.
#pragma once

#include "seam/system/description.hpp"

namespace seam::system {

/// `a.y -> b.u` and `a.y[1:3] -> b.u[2:4]`, where the ports are y[1], y[2], …: one connection an element, in their
/// order. Ends that name single ports, or nothing at all, stay as they are. Shapes that differ are a problem.
void expand_arrays(SystemDescription& description, base::Problems& problems);

}  // namespace seam::system
