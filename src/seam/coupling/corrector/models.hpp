// What a corrector knows of a subsystem: matrices of one step, in Memory::models. They are written when a program is
// compiled, at the end of every step where the subsystem tells its equations anew, or between two steps by whoever
// learns them from samples.
#pragma once

#include "seam/coupling/memory.hpp"
#include "seam/coupling/program.hpp"
#include "seam/lti/state_space.hpp"

namespace seam::coupling {

/// Gives the model of a lane its places from `place` on; the first place behind it.
int lay_out_model(const Lane& own, CorrectedLane& lane, int place);

/// Where the equations of all real ports of a lane lie, to be written before write_model.
assembly::LinearNumbers equations_of(const CorrectedLane& lane, const Lane& own, double* models);

/// From the equations to the matrices of a step.
void write_model(const Correction& correction, const CorrectedLane& lane, const Lane& own, double* models);

/// Of a lane that has arrived at t and is asked every time. Allocates nothing.
void refresh_model(const Program& program, const CorrectedLane& lane, double t, Memory& memory);

/// One step of a subsystem under held inputs, as samples tell it: x+ = A x + B u, y = C x + D u with y at the end of
/// the step, over the ports that are corrected. An input that moves counts by its mean.
struct HeldStep {
  lti::StateSpace map;
  lti::Matrix feedthrough;  ///< of the equations: what y changes with u at once
};
/// Needs as many states as the lane has room for; fewer are filled up with zeros. Allocates nothing.
void write_model(const Correction& correction, const CorrectedLane& lane, const HeldStep& step, double* models);

/// After models that do not refresh themselves were written: what is solved from all of them. False if nothing can be
/// mended with them.
bool solve_models(const Correction& correction, double* models);

}  // namespace seam::coupling
