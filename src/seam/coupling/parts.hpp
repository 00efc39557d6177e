// What a compiled coupling consists of. `find_routes` decides on all of it but the places, which `lay_out` gives.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "seam/assembly/assembly.hpp"
#include "seam/base/grid.hpp"
#include "seam/coupling/corrector/correction.hpp"
#include "seam/coupling/emitter/emitter.hpp"
#include "seam/coupling/receiver/receiver.hpp"
#include "seam/system/timetable.hpp"

namespace seam::coupling {

/// The grid on which everything happens.
struct Horizon {
  base::Grid grid;
  base::Tick ticks = 0;    ///< whole macro steps of the run
  double last_step = 0.0;  ///< length of one shorter last step, or 0
};

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
  int constants = 0;  ///< that a corrector writes of its inputs, one a call; 0: the step is not split for it
  int multiple = 1;   ///< its macro step in ticks
  int turn = 0;       ///< its place among those that step (Gauss-Seidel); the same for all (Jacobi)
  Crossing crossing = Crossing::whole;
  int discrete_in = 0, discrete_out = 0;              ///< first place in Memory::discrete_values
  int discrete_in_count = 0, discrete_out_count = 0;  ///< ports that are no reals
  bool sends_discrete_values = false;                 ///< they are taken after every step
  bool hears_discrete_values = false;                 ///< they are given before every step
  std::optional<std::vector<int>> wanted;             ///< outputs, discrete ones too, that steps write; none: all
  bool evaluates = false;                             ///< outputs are evaluated between steps, too
  std::vector<int> now;                               ///< where each input's value at the communication point lies
  std::vector<int> emitters;                          ///< that watch its micro points
  std::vector<int> smoothers;                         ///< receivers that give every micro step a polynomial of its own
  int watch = -1;                                     ///< number of its StepWatch
  int micro_rows = -1;                                ///< number of its MicroRows
  std::vector<int> stages;                            ///< in which each output is sent; empty: all in the first
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

/// What is recorded of a member at communication points.
struct RecordRequest {
  struct Variable {
    int number = -1;  ///< in assembly::Observables::variables()
    system::Port port;
  };
  int member = -1;
  std::vector<int> outputs;
  std::vector<Variable> variables;  ///< that are no ports
};

/// The same of a lane, as far as its steps do not write it: read when it is recorded. Outputs first, then variables; in
/// Memory::values what is real, in Memory::discrete_values the rest.
struct ObservedLane {
  int lane = -1;
  std::vector<int> outputs;
  std::vector<RecordRequest::Variable> variables;
  int place = -1, discrete_place = -1;
  int reals = 0, discrete_count = 0;
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

/// Ports of one lane that send by one emitter.
struct EmitterGroup {
  std::shared_ptr<const Emitter> emitter;
  std::vector<int> ports;
  int rows = 0;      ///< what it remembers and sends
  int gathered = 0;  ///< its ports' outputs, side by side
};

/// Ports of one lane that hear one kind of sample, arriving together.
struct ReceiverGroup {
  std::shared_ptr<const Receiver> receiver;             ///< one of `phases`, for what they have in common
  std::vector<std::shared_ptr<const Receiver>> phases;  ///< one for each age that the newest sample may have, as
                                                        ///< samples are older where the source is slower
  std::shared_ptr<const Receiver> last;  ///< for a shorter last step, where the newest sample is of its end; or null
  int lane = -1;
  int source = -1;               ///< the lane that sends
  bool is_predicted = false;     ///< the corrector writes these inputs: it only keeps samples
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
  enum class Target {
    in_place,        ///< a real input without a receiver: its place holds the value
    received,        ///< a real input behind a receiver: shown in a place of its own, the samples stay
    driven,          ///< an input that follows a known signal: shown in a place of its own
    discrete_value,  ///< no real
    parameter        ///< of the subsystem
  } target = Target::in_place;
  int place = -1;                          ///< of the value, in Memory::values or Memory::discrete_values
  int arrived = -1;                        ///< received: the newest sample
  const assembly::Drive* drive = nullptr;  ///< driven: what it follows otherwise

  /// In a place that nothing else writes.
  bool is_shown_apart() const { return target == Target::driven || target == Target::received; }
};

/// A lane whose events are dealt with at communication points.
struct EventLane {
  int lane = -1;
  assembly::DiscretePart* part = nullptr;
  int before = 0;              ///< place of its outputs before the event
  bool feeds_through = false;  ///< an output follows an input at once: it changes without a jump
};

/// Everything that has a place in Memory, or will get one.
struct Parts {
  std::vector<Lane> lanes;  ///< in the order of the members
  std::vector<EmitterGroup> emitters;
  std::vector<ReceiverGroup> receivers;
  std::vector<EventLane> event_lanes;
  std::vector<Intervention> interventions;
  std::vector<StepWatch> watches;
  std::vector<MicroRows> micro_rows;
  std::vector<ObservedLane> observed;  ///< in the order of the lanes
  std::optional<Correction> correction;
};

}  // namespace seam::coupling
