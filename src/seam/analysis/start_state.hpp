// The state in which a subsystem begins that does not show it: what a linear model must have been in to move as the
// subsystem did while its inputs stayed as they were.
#pragma once

#include <vector>

#include "seam/lti/state_space.hpp"

namespace seam::analysis {

/// Outputs at the end of each of several calls of one length from the operating point, with constant inputs.
struct RestRecord {
  double call = 0.0;                ///< s
  std::vector<double> inputs = {};  ///< the real ones, call by call; one row: they stay as they are
  std::vector<int> watched = {};    ///< real outputs that a model has
  int outputs = 0;                  ///< real ones
  std::vector<double> values = {};  ///< of all of these, call by call
};

struct StartState {
  lti::Vector state;
  double unexplained = 0.0;  ///< of what the outputs moved: by root mean square, of the worst output
};

/// The least squares over the first calls; of all states that no output tells apart the smallest.
StartState start_state(const lti::StateSpace& equations, const RestRecord& rest);

}  // namespace seam::analysis
