// The monolithic solution of equations that jump: located events, handled by all members together.
#pragma once

#include "seam/analysis/reference.hpp"

namespace seam::analysis {

/// Of an assembly in which at least one member has eventful equations; initialises it.
std::unique_ptr<Reference> make_event_reference(assembly::Assembly& assembly, double t0);

/// Why the members cannot be solved together although each of them has equations; empty if they can.
std::string why_no_event_reference(const assembly::Assembly& assembly);

}  // namespace seam::analysis
