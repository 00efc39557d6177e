// One row for each action: when in a macro step it happens, whether it is repeated, and the function that does it.
// Everything that executes, divides or repeats operations walks these rows.
#pragma once

#include <span>
#include <vector>

#include "seam/coupling/exchange.hpp"

namespace seam::coupling {

class LaneWatch;

/// Where an action belongs in a macro step.
enum class Phase {
  before_steps,  ///< over all lanes
  before_lane,   ///< of one lane
  lane_step,
  after_lane,
  point  ///< the communication point: over all lanes
};

/// Where all lanes stop at an event, a macro step is made in parts.
enum class InParts {
  every_part,
  first_part,
  parts_that_move,  ///< not where an event lies at the start of a part
  never             ///< models and monitors are of whole steps
};

/// Values are exchanged at an event until none changes.
enum class AtEvent { repeated, once };

struct Execution {
  const Program& program;
  const Now& now;
  Memory& memory;
  double growth_limit;         ///< beyond which a value that is sent is not sound
  LaneWatch* watch = nullptr;  ///< measures every lane
  bool by_rows = true;         ///< subsystems of one kind step by one call
};

struct ActionRow {
  Action action;
  Phase phase;
  InParts in_parts;
  AtEvent at_event;
  StepFailure (*perform)(const Execution& execution, const Operation& operation);
};

const ActionRow& row_of(Action action);
inline const ActionRow& row_of(const Operation& operation) { return row_of(operation.action); }

/// These operations, until one fails. A subsystem that wants to end the run does so when all have arrived.
StepFailure execute(const Execution& execution, std::span<const Operation> operations);
/// A whole slot: then outputs that no link reads are checked, too.
StepFailure execute_slot(const Execution& execution, std::span<const Operation> operations);

/// An operation on several lanes as one operation a lane, each of which says which.
std::vector<Operation> split_by_lane(const Program& program, const Operation& operation);

}  // namespace seam::coupling
