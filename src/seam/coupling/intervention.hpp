// Events of the experiment inside a program: what they make of inputs and parameters at communication points.
#pragma once

#include "seam/coupling/exchange.hpp"

namespace seam::coupling {

/// How the events of a course reach the input or parameter of their lane. One that is shown apart needs a place still:
/// an overridden value must not touch what arrives. It carries nothing, being written at every communication point.
Intervention find_intervention(const system::Course& course, const assembly::Assembly& assembly, const Parts& parts,
                               const Lane& lane);

/// At the start of a step: parameters that change there.
void tune(const Program& program, base::Tick tick);

/// After the receivers: an overridden input stays constant whatever they think.
void intervene_in_step(const Program& program, Memory& memory, base::Tick tick);

/// After values have arrived: inputs have at this communication point what the events say.
void intervene_at_point(const Program& program, Memory& memory, const Point& point);

/// The same for a memory that comes from elsewhere, at its own tick.
void intervene_after_resuming(const Program& program, Memory& memory);

/// As assembly::initialise, under the events that are there from the start: their inputs have these values, whatever
/// is wired to them.
assembly::PortValues initialise_under_events(const Program& program);

}  // namespace seam::coupling
