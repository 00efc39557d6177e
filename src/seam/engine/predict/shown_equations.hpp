// Equations that FMUs show by model exchange although they are stepped by co-simulation. Only source files of this room
// include it.
#pragma once

#include "seam/engine/predict/probing.hpp"

namespace seam::engine {

/// What a private instance for model exchange shows at the operating point.
struct ShownEquations {
  analysis::SubsystemModel model;           ///< its map is that of the calls of co-simulation
  std::vector<double> now = {}, next = {};  ///< real outputs there, and after two calls with the inputs as they are
};

/// Which subsystem is to show them, and how co-simulation calls it.
struct ShownBy {
  std::size_t subsystem = 0;
  Calls calls = {};
};

/// All of them in one system, which is run to the operating point; where that fails, each in one of its own. What
/// does not show any equations there is left out.
std::vector<ShownEquations> shown_equations(const System& system, const LinearModelRequest& request,
                                            const std::vector<ShownBy>& wanted);

/// Whether co-simulation goes on from the same point: its first call leads no further away from where model exchange
/// goes than that moves, a probe moves it, and the tolerances of solvers allow.
bool starts_alike(const ShownEquations& shown, const ProbeCandidate& candidate);

}  // namespace seam::engine
