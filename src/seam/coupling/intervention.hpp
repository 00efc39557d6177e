// Events of the experiment inside a program: what they make of inputs and parameters at communication points.
#pragma once

#include "seam/coupling/exchange.hpp"

namespace seam::coupling {

/// Finds the place of every course and makes room where an overridden value must not touch what arrives. What it adds
/// to the memory carries nothing: it is written at every communication point.
void lay_out_interventions(Program& program, const std::vector<system::Course>& courses);

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
