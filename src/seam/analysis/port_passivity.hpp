// Whether the subsystems at a power bond can give out more energy there than was put in: two passive sides cannot make
// an unstable loop by themselves, so what is unstable then is the coupling's.
#pragma once

#include <string>
#include <vector>

#include "seam/analysis/linear_parts.hpp"
#include "seam/lti/passivity.hpp"
#include "seam/system/description.hpp"

namespace seam::analysis {

/// One side of a bond: the other side's variable in, its own out, everything else at rest. A displacement that comes
/// from the same subsystem beside its velocity is the integral of that (by its unit).
struct PortPassivity {
  std::string bond, subsystem;
  std::optional<lti::Passivity> passivity;  ///< of power put in by the bond
  std::string reason;                       ///< why it cannot be told; empty: it can
};

/// Two a bond. Sides that are signals known ahead of time have none.
std::vector<PortPassivity> port_passivity(const assembly::Assembly& assembly, const LinearParts& linear,
                                          const std::vector<system::Bond>& bonds);

}  // namespace seam::analysis
