// Components that are systems themselves: another package, another description, a system of the same file.
#pragma once

#include "seam/load/reach.hpp"
#include "seam/ssp/ssd.hpp"

namespace seam::ssp {

/// Such components become systems in their place, their own parameter bindings behind those of the system. Signal
/// dictionaries from files are read. What is too large (a package may contain itself) is a problem and stays as it is.
enum class Expansion { whole, too_large };
Expansion expand(Description& description, base::Problems& problems);

/// Whether the source of a component is a system; by its type if one is given, else by the name of the file.
bool is_system(const Element& component, const load::Reference& source);

}  // namespace seam::ssp
