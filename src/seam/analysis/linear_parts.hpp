// The linear model of every member around the present states, and how they are wired.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/analysis/monolithic.hpp"

namespace seam::analysis {

struct LinearParts {
  std::vector<lti::StateSpace> parts;  ///< one a member; without states and inputs where it is a known signal
  Interconnection wiring;
  assembly::LinearModel::Origin origin = assembly::LinearModel::Origin::exact;
  std::vector<std::string> state_names;  ///< "member.state", over all members
};

/// At time t. None, with the reason, if no linear model describes a member.
std::optional<LinearParts> linear_parts(assembly::Assembly& assembly, double t, std::string& reason);

}  // namespace seam::analysis
