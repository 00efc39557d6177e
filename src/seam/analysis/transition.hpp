// The exact transition matrix of a macro step, obtained from the code that runs it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/coupling/step_probe.hpp"

namespace seam::analysis {

enum class Exactness {
  exact,      ///< the step is affine: the matrix is the step
  linearised  ///< differences around the operating point
};

/// z = (states of all subsystems, signals of the coupling); z(n+1) = matrix * z(n) + what sources add.
struct Transition {
  lti::Matrix matrix;
  std::vector<std::string> names;  ///< of the entries of z
  int states = 0;                  ///< how many of them are states of subsystems
  Exactness exactness = Exactness::exact;
};

/// z of the live subsystems and a memory.
using coupling::read_state;
using coupling::write_state;

/// By coupling::StepProbe, sources silent, every hold settled. The subsystems are left as they were, also by an
/// exception. None, with the reason, if a subsystem does not show its states or a step does not come to its end.
std::optional<Transition> transition(const coupling::Program& program, const coupling::Memory& around,
                                     std::string& reason);

}  // namespace seam::analysis
