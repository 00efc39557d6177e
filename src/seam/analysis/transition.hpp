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
  lti::Matrix further;          ///< what one of each further argument adds to z
  lti::Matrix outputs, direct;  ///< where outputs are wanted: what they are, by z before the step and by the arguments
  std::vector<std::string> names;  ///< of the entries of z
  int states = 0;                  ///< how many of them are states of subsystems
  Exactness exactness = Exactness::exact;
};

/// z of the live subsystems and a memory.
using coupling::read_state;
using coupling::write_state;

/// An output at the end of a step of its subsystem: so many ticks after the begin of the hyper-period.
struct Arrival {
  int member = 0, output = 0;
  base::Tick ticks = 0;
};
/// All of a hyper-period.
std::vector<Arrival> arrivals(const coupling::Program& program);

/// What is wanted beside the step itself; sources are silent then, and the step must be affine.
struct FurtherProbe {
  std::vector<coupling::FurtherArgument> arguments;
  std::vector<Arrival> outputs;
};

/// By coupling::StepProbe, sources silent, every hold settled. The subsystems are left as they were, also by an
/// exception. None, with the reason, if a subsystem does not show its states or a step does not come to its end.
std::optional<Transition> transition(const coupling::Program& program, const coupling::Memory& around,
                                     std::string& reason, const FurtherProbe& further = {});

}  // namespace seam::analysis
