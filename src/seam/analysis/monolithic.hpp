// The coupled equations as one system: what the co-simulation should have computed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/assembly/assembly.hpp"

namespace seam::analysis {

/// All inputs of all members follow u = K y + E w + constant; y are all outputs, w the signals known ahead of time.
struct Interconnection {
  lti::Matrix K, E;
  lti::Vector constant;
  std::vector<assembly::Drive>
      signals;  ///< w_i = signals[i].factor * signal(t) + offset (its `input` counts over all inputs)
  std::vector<int> first_input, first_output;  ///< of each member in the stacked vectors
};
Interconnection interconnection(const assembly::Assembly& assembly);

struct MonolithicModel {
  lti::StateSpace system;  ///< inputs w, outputs y of all members stacked
  assembly::LinearModel::Origin origin = assembly::LinearModel::Origin::exact;
  std::vector<std::string> state_names;
};

/// Around the present states at time t. None, with the reason, if a member has no linear model or a feed-through loop
/// is singular.
std::optional<MonolithicModel> monolithic_model(assembly::Assembly& assembly, double t, std::string& reason);

}  // namespace seam::analysis
