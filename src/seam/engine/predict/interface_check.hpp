// Whether the equations that an FMU shows by model exchange are those that its co-simulation solves. Only source files
// of this room include it.
#pragma once

#include <string>
#include <vector>

#include "seam/engine/run/run.hpp"

namespace seam::engine {

/// The FMUs that a run steps by co-simulation although they also offer model exchange, by their numbers.
std::vector<std::size_t> fmus_with_both_interfaces(const System& system);
/// The same system with these FMUs stepped by their equations.
System with_equations_of(System system, const std::vector<std::size_t>& fmus);

struct InterfaceCheck {
  std::string disagreement;          ///< which FMU, and by how much; empty: none was found
  std::vector<std::string> notices;  ///< differences that the FMU's own solver explains; what could not be compared
};

/// Both interfaces in a short run of the plan, from the same start: until everything at these FMUs has moved. Where
/// they differ, with steps of a half, a quarter, …: what the FMU's own solver does wrong becomes smaller then.
InterfaceCheck compare_interfaces(const System& system, const std::vector<std::size_t>& fmus,
                                  const RunSettings& settings);

}  // namespace seam::engine
