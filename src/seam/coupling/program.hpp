// A compiled coupling: one flat list of operations a tick over one flat memory.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "seam/base/grid.hpp"
#include "seam/coupling/memory.hpp"
#include "seam/coupling/parts.hpp"
#include "seam/coupling/step_map.hpp"

namespace seam::coupling {

enum class Action {
  receive,
  offset,
  tune,
  intervene_in_step,
  give,
  step,
  step_in_segments,
  take,
  correct,
  make_room,
  copy,
  scale,
  evaluate,
  pass,
  intervene_at_point,
  settle,
  note,
  measure
};

struct Operation {
  Action action;
  int first = 0;     ///< lane, group, first step call, corrected lane, link or discrete value link
  int count = 1;     ///< of step calls, corrected lanes, links or discrete value links; of a receiver its phase; of an
                     ///< evaluation the stage of the outputs that are sent then
  int multiple = 1;  ///< of steps: their length in ticks
  int lane = -1;     ///< the only lane it concerns, if there is one
};

/// The operations of one tick.
struct Slot {
  int first = 0, count = 0;
};

/// What a tick does.
struct Slots {
  std::vector<Operation> operations;
  std::vector<Slot> slots;  ///< one a tick of the hyper-period, behind which everything repeats
  std::vector<assembly::StepCall> calls;
  std::vector<Link> links;
  std::vector<DiscreteLink> discrete_passes;  ///< those that `pass` operations hand on
  std::vector<int> unread;  ///< places of outputs that are written and no link reads: checked after every step
};

/// What others than the step loop look up: a start, a saved state, an analysis, a recorder.
struct Lookup {
  Memory initial;            ///< before the subsystems are initialised: constants and models are in their places
  std::vector<int> signals;  ///< places in Memory::values that carry something to the next macro step
  std::vector<DiscreteLink> discrete_links;  ///< one a wire
  std::size_t kept_values = 0;               ///< the first so many of Memory::values are all that a saved state needs
  std::size_t kept_discrete_values = 0;      ///< the same of Memory::discrete_values
  base::Tick micro_rows_last = 1;            ///< ticks after which micro rows are overwritten
  bool is_affine = false;                    ///< a macro step maps states, signals and known signals affinely
};

/// Parts in their places.
struct Layout : Parts, Lookup {};

class StepMonitor;

/// Const while it runs, and so is everything behind it but the subsystems.
struct Program : Horizon, Layout, Slots {
  assembly::Assembly* assembly = nullptr;
  double growth_limit = 0.0;
  system::Events events = system::Events::local;
  std::optional<StepMap> map;                ///< all operations of a tick as one affine map, where they are one
  std::vector<const StepMonitor*> monitors;  ///< see every step; their makers own them

  base::Tick hyper_period() const { return static_cast<base::Tick>(slots.size()); }
  /// The slot of the step that begins at this tick.
  std::size_t slot_of(base::Tick tick) const { return static_cast<std::size_t>(tick % hyper_period()); }
  std::span<const Operation> operations_in(std::size_t slot) const {
    return {operations.data() + slots[slot].first, static_cast<std::size_t>(slots[slot].count)};
  }
  /// Those of the step that ends at this tick; at the start, of one at whose end all arrive.
  std::span<const Operation> operations_before(base::Tick tick) const {
    return operations_in(slot_of(tick + hyper_period() - 1));
  }
  /// Place of the value an input has at the communication point / of an output, where it is written or observed; -1
  /// for a member without a lane and for ports that are no reals.
  int input_place(int member, int input) const;
  int output_place(int member, int output) const;
  /// The same in Memory::discrete_values; -1 for reals.
  int discrete_input_place(int member, int input) const;
  int discrete_output_place(int member, int output) const;
  /// The intervention in an input, or nullptr.
  const Intervention* intervention(int member, int input) const;
};

}  // namespace seam::coupling
