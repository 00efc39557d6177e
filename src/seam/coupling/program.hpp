// A compiled coupling: one flat list of operations a tick over one flat memory. Const while it runs.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "seam/assembly/assembly.hpp"
#include "seam/base/grid.hpp"
#include "seam/base/numbers.hpp"
#include "seam/coupling/corrector/correction.hpp"
#include "seam/coupling/emitter/emitter.hpp"
#include "seam/coupling/receiver/receiver.hpp"
#include "seam/coupling/step_map.hpp"
#include "seam/system/timetable.hpp"

namespace seam::coupling {

/// How a lane crosses one macro step.
enum class Crossing {
  whole,                ///< one call
  polynomial_segments,  ///< one call a micro step, each with its part of the polynomial
  constant_segments     ///< one call a micro step, each with the polynomial's value at its begin
};

/// One subsystem over one of its macro steps. Numbers are places in Memory::values.
struct Lane {
  assembly::Subsystem* subsystem = nullptr;
  assembly::StepFunction step;  ///< of the subsystem, prepared for this program
  int degree = 0;
  int inputs = 0, outputs = 0;  ///< how many
  int coefficients = 0;         ///< (degree + 1) rows of `inputs`: the polynomial over the step
  int values = 0;               ///< the outputs
  int member = -1;
  int segment = 0;  ///< the polynomial of one segment, where the step is split
  int fresh = 0;    ///< the inputs gathered for evaluate
  int segments = 1;
  int multiple = 1;  ///< its macro step in ticks
  int turn = 0;      ///< its place among those that step (Gauss-Seidel); the same for all (Jacobi)
  Crossing crossing = Crossing::whole;
  int discrete_in = 0, discrete_out = 0;              ///< first place in Memory::discrete_values
  int discrete_in_count = 0, discrete_out_count = 0;  ///< ports that are no reals
  bool sends_discrete_values = false;                 ///< a link reads one: they are taken after every step
  std::vector<int> now;                               ///< where each input's value at the communication point lies
  std::vector<int> emitters;                          ///< that watch its micro points
  std::vector<int> smoothers;                         ///< receivers that give every micro step a polynomial of its own
  int watch = -1;                                     ///< number of its StepWatch
  int micro_rows = -1;                                ///< number of its MicroRows
  std::vector<int> stages;                            ///< in which each output is sent
  int told = -1;                                      ///< number among the corrected lanes, where equations are noted
};

/// Ports of a member to be recorded at the start of every micro step.
struct MicroRequest {
  int member = -1;
  std::vector<int> outputs, inputs;
};

/// The same of a lane: a row of outputs, then inputs, for each micro step of the steps that were made last.
struct MicroRows {
  int lane = -1;
  std::vector<int> outputs, inputs;
  int place = -1;        ///< of the first row in Memory::values
  int steps = 1;         ///< of the lane that have room, a power of 2; then the first is overwritten
  bool can_ask = false;  ///< outputs can be evaluated under the input of the coming micro step
  int width() const { return static_cast<int>(outputs.size() + inputs.size()); }
};

/// Ports of a member that a monitor wants to follow through every step.
struct WatchRequest {
  int member = -1;
  std::vector<int> inputs, outputs;
  enum class MicroPoints {
    where_there_are,  ///< if the master splits the step anyway
    wanted            ///< the master splits the step also if that changes nothing but the last digits
  } micro = MicroPoints::where_there_are;
};

/// The same of a lane, with places in Memory::values. What is noted belongs to the step that was made last.
struct StepWatch {
  int lane = -1;
  std::vector<int> inputs, outputs;
  int polynomials = -1;  ///< (degree + 1) rows of the inputs
  int points = -1;       ///< one row of the outputs a micro step, at its begin; -1: the step is made in one call
  bool can_ask = false;  ///< outputs at the start of a step can be evaluated under its input
};

class StepMonitor;
class Learning;

/// Ports of one lane that send by one emitter.
struct EmitterGroup {
  const Emitter* emitter = nullptr;
  std::vector<int> ports;
  int rows = 0;      ///< what it remembers and sends
  int gathered = 0;  ///< its ports' outputs, side by side
};

/// Ports of one lane that hear one kind of sample, arriving together.
struct ReceiverGroup {
  const Receiver* receiver = nullptr;   ///< one of `phases`, for what they have in common
  std::vector<const Receiver*> phases;  ///< one for each age that the newest sample may have, as samples are older
                                        ///< where the source is slower
  int lane = -1;
  int source = -1;               ///< the lane that sends
  std::vector<int> columns;      ///< input numbers of the lane
  std::vector<int> connections;  ///< of the plan, one a column
  int history = 0;
  int history_rows = 1;      ///< as the receiver's shape says
  int rows_per_arrival = 1;  ///< rows that travel
  int new_per_arrival = 1;   ///< of these, how many are new
  int counter = 0;           ///< place in Memory::knowledge: samples seen
};

/// A value on its way: to = gain * from + offset.
struct Link {
  int from = 0, to = 0;
  double gain = 1.0, offset = 0.0;
};

/// A discrete value on its way, between places in Memory::discrete_values, or into the place of a real input in
/// Memory::values.
struct DiscreteLink {
  const assembly::DiscreteWire* wire = nullptr;
  int from = 0, to = 0;
};

/// A variable that events of the experiment change, and where it lies.
struct Intervention {
  system::Course course;
  int lane = -1;
  enum class Way {
    in_place,        ///< a real input without a receiver: its place holds the value
    received,        ///< a real input behind a receiver: shown in a place of its own, the samples stay
    driven,          ///< an input that follows a known signal: shown in a place of its own
    discrete_value,  ///< no real
    parameter        ///< of the subsystem
  } way = Way::in_place;
  int place = -1;                          ///< of the value, in Memory::values or Memory::discrete_values
  int arrived = -1;                        ///< received: the newest sample
  const assembly::Drive* drive = nullptr;  ///< driven: what it follows otherwise
};

/// A lane whose events are dealt with at communication points.
struct EventLane {
  int lane = -1;
  assembly::DiscretePart* part = nullptr;
  int before = 0;              ///< place of its outputs before the event
  bool feeds_through = false;  ///< an output follows an input at once: it changes without a jump
};

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

struct Program {
  assembly::Assembly* assembly = nullptr;
  base::Grid grid;
  base::Tick ticks = 0;    ///< whole macro steps of the run
  double last_step = 0.0;  ///< length of one shorter last step, or 0
  double growth_limit = 0.0;
  system::Events events = system::Events::local;

  std::vector<Lane> lanes;
  std::vector<EmitterGroup> emitters;
  std::vector<ReceiverGroup> receivers;
  std::vector<assembly::StepCall> calls;
  std::vector<assembly::StepFunction::Row> rows;  ///< one a call; the same for all calls of an operation
  std::vector<Link> links;
  std::vector<DiscreteLink> discrete_links;   ///< one a wire
  std::vector<DiscreteLink> discrete_passes;  ///< those that `pass` operations hand on
  std::vector<EventLane> event_lanes;
  std::vector<Intervention> interventions;
  std::vector<StepWatch> watches;
  std::vector<MicroRows> micro_rows;
  base::Tick micro_rows_last = 1;  ///< ticks after which micro rows are overwritten
  std::optional<Correction> correction;
  std::shared_ptr<Learning> learning;        ///< of the correction's models; a workbench, what it knows is in Memory
  std::vector<const StepMonitor*> monitors;  ///< see every step; their makers own them
  std::vector<Operation> operations;
  std::optional<StepMap> map;  ///< all of them as one affine map, where they are one
  std::vector<Slot> slots;     ///< one a tick of the hyper-period, behind which everything repeats

  std::vector<int> unread;       ///< places of outputs that no link reads: checked for divergence after every step
  std::vector<int> signals;      ///< places in Memory::values that carry something to the next macro step
  base::Numbers initial_values;  ///< constants in their places
  std::size_t kept_values = 0;   ///< the first so many of Memory::values are all that a saved state needs
  base::Numbers initial_models;  ///< those that do not change
  int knowledge = 0;             ///< size of Memory::knowledge
  int discrete_values = 0;       ///< size of Memory::discrete_values

  std::vector<std::unique_ptr<Emitter>> owned_emitters;
  std::vector<std::unique_ptr<Receiver>> owned_receivers;

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
  /// Place of the value an input has at the communication point / of an output; -1 for a member without a lane and for
  /// ports that are no reals.
  int input_place(int member, int input) const;
  int output_place(int member, int output) const;
  /// The same in Memory::discrete_values; -1 for reals.
  int discrete_input_place(int member, int input) const;
  int discrete_output_place(int member, int output) const;
  /// The intervention in an input, or nullptr.
  const Intervention* intervention(int member, int input) const;
};

}  // namespace seam::coupling
