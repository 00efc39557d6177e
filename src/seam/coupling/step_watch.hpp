// What a monitor may know of a macro step that no port shows afterwards: the inputs as they were during the step, and
// outputs at its micro points.
#pragma once

#include <vector>

#include "seam/coupling/memory.hpp"
#include "seam/coupling/program.hpp"

namespace seam::coupling {

struct Now;

/// Sees every macro step, after its communication point. Const: what it adds up lies in places of the memory.
class StepMonitor {
 public:
  virtual ~StepMonitor() = default;
  virtual void measure(const Program& program, const Now& now, double* values) const = 0;
};

/// So many places that nothing else writes and no saved state keeps; the first of them.
int add_places(Program& program, int count);

/// The watches that were asked for, one a lane.
void list_watches(const assembly::Assembly& assembly, const std::vector<WatchRequest>& requests, Parts& parts);

/// Whether a monitor wants to see the micro points of a member.
bool wants_micro_points(const std::vector<WatchRequest>& requests, int member);

/// The watch of a member and where its ports are in it.
const StepWatch& watch_of(const Program& program, int member);
int number_of_input(const StepWatch& watch, int input);
int number_of_output(const StepWatch& watch, int output);

/// The input number `i` of a watch in the step that was made last; theta counts that lane's macro steps.
double input_at(const Program& program, const StepWatch& watch, int i, double theta, const double* values);

/// Before the communication point: the polynomials of all inputs that are watched, of the lanes that have arrived.
void note_inputs(const Program& program, const Now& now, double* values);
/// The outputs at the start of the step, under its input where the subsystem can be asked, else as they were sent.
void note_begin(const Program& program, const Lane& lane, const Now& now, double* values);
/// The outputs at the start of the micro step number `segment`.
void note_point(const Program& program, const Lane& lane, int segment, double* values);

/// After the communication point: all monitors.
void measure_step(const Program& program, const Now& now, double* values);

}  // namespace seam::coupling
