// The step that is being made: a lane crosses it, outputs are evaluated again, events are settled.
#pragma once

#include <cmath>

#include "seam/coupling/memory.hpp"
#include "seam/coupling/program.hpp"

namespace seam::coupling {

/// The communication point whose events of the experiment hold.
struct Point {
  base::Tick tick = 0;
  double time = 0.0;
};

/// The step that is being executed; `fraction` is its length in macro steps.
struct Now {
  assembly::Step step;
  double fraction = 1.0;
  Point at_end = {};  ///< inside a macro step: where that began

  double end() const { return step.begin + step.length; }
};

/// Why a step is not complete: a lane did not accept, or something that was sent is not sound.
struct StepFailure {
  base::Outcome outcome = base::Outcome::accepted;
  int lane = -1;  ///< that did not accept
};

/// The longer step of a slower lane that ends where `now` does.
inline Now stretched(const Program& program, int multiple, const Now& now) {
  Now own = now;
  own.step.begin = program.grid.time(now.at_end.tick - multiple);
  own.step.length = multiple * program.grid.step;
  return own;
}

/// Whether a value that is being sent is neither NaN nor infinite nor beyond the limit.
inline bool sound(double value, double limit) { return std::abs(value) <= limit; }

/// What the emitters of a lane see at a micro point.
void observe(const Program& program, const Lane& lane, double* values);
/// The outputs of a lane were computed again: its emitters replace what they saw last.
void replace_newest(const Program& program, const Lane& lane, double* values);
/// The inputs of a lane at the communication point, side by side.
assembly::In gather_inputs(const Lane& lane, double* values);
/// Outputs for the inputs that have just arrived (feed-through sent fresh); what the emitters saw last is replaced.
void evaluate(const Program& program, const Lane& lane, const Now& now, double* values);
/// One call a micro step; the emitters see every micro point.
base::Outcome cross_in_segments(const Program& program, const Lane& lane, const Now& now, double* values);
/// Event Mode for all that are concerned at the communication point where `now` ends: values are exchanged until
/// nothing changes, discrete states updated, and so on until all are at rest. Throws base::Error(subsystem) if that has
/// no end.
StepFailure settle_events(const Program& program, const Now& now, Memory& memory);

/// A macro step in which all stop where one has an event. Allocates.
StepFailure cross_sharing_events(const Program& program, const Now& now, Memory& memory);

}  // namespace seam::coupling
