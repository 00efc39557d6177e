// The only code that moves time: run for real by stepping, with unit vectors by analysis.
#pragma once

#include <limits>

#include "seam/base/outcome.hpp"
#include "seam/coupling/memory.hpp"
#include "seam/coupling/program.hpp"

namespace seam::coupling {

class LaneWatch;
struct StepFailure;

struct Advance {
  base::Outcome outcome = base::Outcome::accepted;
  base::Tick done = 0;  ///< whole macro steps
  int member = -1;      ///< who did not accept, or whose output diverged
  int output = -1;
};

/// A memory at the start of the experiment: subsystems initialised, outputs exchanged once.
Memory start(const Program& program);

/// As if the run had gone on long enough for every hold to have all its samples. For analysis.
void settle(const Program& program, Memory& memory);

/// The samples a connection would have had before the start, the most recent first (t0 - spacing, t0 - 2 spacing, …);
/// the spacing is the macro step, or the source's micro step for fine samples. For tests of the order of a hold.
void set_past(const Program& program, Memory& memory, int connection, const std::vector<double>& past);

/// `count` macro steps. Allocates nothing and takes no lock.
Advance advance(const Program& program, Memory& memory, base::Tick count,
                assembly::Sources sources = assembly::Sources::live);

/// How steps are made that are probed: values may be of any size.
struct ProbeStep {
  assembly::Sources sources = assembly::Sources::silent;
  double growth_limit = std::numeric_limits<double>::infinity();
};
/// The same by the operations alone, also where there is a map of them.
Advance advance_by_operations(const Program& program, Memory& memory, base::Tick count, const ProbeStep& probe);

/// One macro step, with a look at the clock after every lane. Not for programs whose events are shared.
Advance advance_watched(const Program& program, Memory& memory, LaneWatch& watch);

/// A whole step that did not go well, the one after `done` others. For callers that execute the operations themselves.
Advance stopped(const Program& program, Memory& memory, const StepFailure& failure, base::Tick done);

/// The shorter step to a stop time that is not on the grid.
Advance advance_last(const Program& program, Memory& memory);

}  // namespace seam::coupling
