// How a plan is carried out, before anything has a place: which lanes there are and how each crosses its step, how
// every wire is carried, what is corrected, and when outputs are sent.
#pragma once

#include <optional>
#include <vector>

#include "seam/coupling/compile.hpp"

namespace seam::coupling {

struct CompileTask {
  assembly::Assembly& assembly;
  const system::Plan& plan;
  const CompileOptions& options;
  base::Problems& problems;
};

/// How one wire is carried: straight into the input, or through an emitter and a receiver.
struct Route {
  int from = -1, to = -1;   ///< lanes
  int stage = 0;            ///< in which it is sent: 0 as the step left it, s > 0 after the s-th round of evaluations
  int receiver_group = -1;  ///< none: the wire writes the input itself
  int column = 0;
  int emitter_group = -1;  ///< none: the last value
  int sent_column = 0;
  int corrected = -1;  ///< number among the corrected wires
};

struct Routes {
  Horizon horizon;
  base::Tick hyper_period = 1;
  int stages = 1;                   ///< of outputs that are sent at a communication point
  std::vector<int> lane_of_member;  ///< -1: it does not step
  std::vector<Route> wires;         ///< one a wire of the assembly
  Parts parts;                      ///< without places
};

/// None if the plan is impossible; the problems say why.
std::optional<Routes> find_routes(const CompileTask& task);

}  // namespace seam::coupling
