// Lanes that cross all micro steps of a macro step in one call, where their subsystem can: the same result to the bit.
#pragma once

#include "seam/coupling/exchange.hpp"

namespace seam::coupling {

/// Asks the subsystems of lanes that are split, and gives places to what marching needs.
void lay_out_marches(Program& program);

/// How far marching came in a macro step.
struct Marched {
  int made = 0;      ///< micro steps
  int smoothed = 0;  ///< micro steps whose inputs by smoothers are known already; at least `made`
};
Marched march(const Program& program, const Lane& lane, const Now& now, double* values);

/// Writes the inputs by smoothers that march() has found for a micro step behind those it made.
void take_smoothed(const Program& program, const Lane& lane, int segment, double* values);

}  // namespace seam::coupling
