// Two masses between springs, cut at the coupling spring: the system of every paper, with any parameters.
#pragma once

#include <fmt/format.h>

#include <string>

#include "seam/engine/run/run.hpp"

namespace seam::testing {

struct PairOfMasses {
  double m1 = 0.1, m2 = 0.1;
  double k1 = 10, k2 = 10, kc = 10;
  double d1 = 0.1, d2 = 0.1, dc = 0.1;
  std::string x0 = "1";         ///< of the owner of the coupling spring
  std::string kind = "spring";  ///< spring: takes displacement and velocity; spring-velocity: velocity alone
  std::string solver = "exact";
  std::string solver_step;  ///< empty: the macro step
  std::string input_signal = "signal";
  double step = 1e-3;
  double stop = 1.0;
  std::string coupling = "zoh";
  std::string feedthrough = "held";
  std::string micro_step;  ///< empty: default

  std::string yaml() const {
    const std::string solver_keys = fmt::format("solver: {}, input_signal: {}{}", solver, input_signal,
                                                solver_step.empty() ? "" : ", solver_step: " + solver_step);
    std::string text = fmt::format(
        "seam: 1\nsubsystems:\n"
        "  left: {{model: mass-chain, {0}, set: {{masses: [{1:.17g}], to_ground: {{k: {2:.17g}, d: {3:.17g}}}, "
        "coupling: {{kind: {4}, k: {5:.17g}, d: {6:.17g}}}, x0: [{7}]}}}}\n"
        "  right: {{model: mass-chain, {0}, set: {{masses: [{8:.17g}], to_ground: {{k: {9:.17g}, d: {10:.17g}}}, "
        "coupling: {{kind: force}}}}}}\n",
        solver_keys, m1, k1, d1, kind, kc, dc, x0, m2, k2, d2);
    text += "connections:\n  - left.F -> right.F_in\n  - right.v1 -> left.v_in\n";
    if (kind == "spring") text += "  - right.x1 -> left.x_in\n";
    text += fmt::format("experiment: {{stop: {:.17g}}}\nplan:\n  step: {:.17g}\n  coupling: {}\n  feedthrough: {}\n",
                        stop, step, coupling, feedthrough);
    if (!micro_step.empty()) text += fmt::format("  subsystems: {{\"*\": {{micro_step: {}}}}}\n", micro_step);
    return text;
  }

  engine::System system() const { return engine::open_text(yaml(), "pair.yaml", {}); }
};

}  // namespace seam::testing
