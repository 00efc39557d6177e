// A macro step of a program that is affine as a whole, as one map: linear models under fixed-step or exact solvers,
// with their holds, filters, correctors and micro samples. Found by probing the operations, and run instead of them.
#pragma once

#include <optional>
#include <vector>

#include "seam/assembly/native.hpp"
#include "seam/base/grid.hpp"
#include "seam/base/outcome.hpp"
#include "seam/lti/affine_rows.hpp"

namespace seam::coupling {

struct Program;
struct Memory;

/// The map works on z: what a step reads (states, signals, known signals), and what others read after it (outputs,
/// inputs, what monitors want). Which of its rows are summed together depends on the program alone.
struct StepMap {
  struct Group {
    lti::AffineRows rows;
    int first = 0;  ///< of its rows in z
  };
  std::vector<Group> groups;    ///< what the next step reads, and what has a limit of growth
  std::vector<Group> observed;  ///< what others read: found once, after the last step of a call

  /// Micro samples of a lane: they go straight to the rows of the step in Memory::values.
  struct MicroGroup {
    lti::AffineRows rows;
    int micro_rows = 0;  ///< number of Program::micro_rows
  };
  std::vector<MicroGroup> micro;

  /// Where an entry of z lives between two calls of `advance`.
  struct Home {
    int at = 0;               ///< in z
    double* state = nullptr;  ///< of a subsystem; null: it lives in Memory::values
    int place = -1;
  };
  std::vector<Home> read;     ///< what a step reads
  std::vector<Home> written;  ///< all rows

  struct KnownSignal {
    const assembly::Drive* drive = nullptr;
    int at = 0;
  };
  std::vector<KnownSignal> signals;  ///< constant within a step, or the step is made operation by operation

  int size = 0;                    ///< of z; Memory::workspace has room for it before a step and after it
  std::vector<double> lane_share;  ///< of the work, one a lane
};

/// The map of a program that is affine throughout; none where the operations one by one cost less.
std::optional<StepMap> find_step_map(const Program& program);

struct MappedSteps {
  base::Tick made = 0;  ///< whole steps, with the one that diverged
  base::Outcome outcome = base::Outcome::accepted;
};
/// Up to `count` steps from memory.tick on, which stays as it is: as many as the map can make before a known signal
/// changes within a step. 0: the next step is for the operations.
MappedSteps advance_by_map(const Program& program, Memory& memory, base::Tick count, assembly::Sources sources);

}  // namespace seam::coupling
