// What a corrector knows of a subsystem: matrices of one step, in Memory::models. They are written when a program is
// compiled, and at the end of a step where the subsystem tells its equations anew or they are learned from samples.
#pragma once

#include "seam/coupling/memory.hpp"
#include "seam/coupling/program.hpp"
#include "seam/lti/paired_model.hpp"

namespace seam::coupling {

/// Gives the model of a lane its places from `place` on; the first place behind it.
int lay_out_model(const Lane& own, CorrectedLane& lane, int place);

/// Where the equations of all real ports of a lane lie, to be written before write_model.
assembly::LinearNumbers equations_of(const CorrectedLane& lane, const Lane& own, double* models);

/// From the equations to the matrices of a step.
void write_model(const Correction& correction, const CorrectedLane& lane, const Lane& own, double* models);

/// What it tells where a micro step has ended. Allocates nothing.
void note_equations(const Program& program, const Lane& own, int segment, const assembly::Step& step, double* values);
/// The model by what was told at such a point.
void recall_model(const Program& program, const CorrectedLane& lane, int point, Memory& memory);
/// Of a lane that has arrived at t and is asked every time. Allocates nothing.
void refresh_model(const Program& program, const CorrectedLane& lane, double t, Memory& memory);

/// Steps of a subsystem as samples tell them, over the ports that are corrected.
struct SampledSteps {
  const lti::StepGains& look;   ///< from one look at the outputs to the next
  const lti::StepGains& whole;  ///< the macro step
};
/// Fewer states than the lane has room for are filled up with zeros. Allocates nothing.
void write_model(const Program& program, const CorrectedLane& lane, const SampledSteps& steps, double* models);
/// As if nothing were known: outputs are sent as they are.
void clear_model(const CorrectedLane& lane, double* models);
/// The same for outputs and offsets; a tracked error is still carried on.
void mute_model(const CorrectedLane& lane, double* models);

/// After models that do not refresh themselves were written: what is solved from all of them. False if nothing can be
/// corrected with them.
bool solve_models(const Correction& correction, double* models);

}  // namespace seam::coupling
