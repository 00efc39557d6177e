// Lanes that cross all micro steps of a macro step in one call, where their subsystem can: the same result to the bit.
#pragma once

#include <array>

#include "seam/coupling/exchange.hpp"
#include "seam/coupling/micro_rows.hpp"

namespace seam::coupling {

/// Asks the subsystems of lanes that are split, and gives places to what marching needs.
void lay_out_marches(Program& program, system::Schedule::Kind schedule);

/// When all operations are written: lanes that step one right after the other may march together.
void pair_marches(Program& program);

/// How far marching came in a macro step.
struct Marched {
  int made = 0;      ///< micro steps
  int smoothed = 0;  ///< micro steps whose inputs by smoothers are known already; at least `made`
};
Marched march(const Program& program, const Lane& lane, const Now& now, double* values);

/// A macro step that is one micro step. False: nothing was done, because it has to be made as others are.
inline bool march_alone(const Program& program, const Lane& lane, const Now& now, double* values) {
  if (!lane.march.alone) return false;
  double* begins = nullptr;
  if (lane.micro_rows >= 0) {
    const MicroRows& rows = program.micro_rows[static_cast<std::size_t>(lane.micro_rows)];
    begins = values + micro_rows_of_step(rows, lane, now.at_end.tick);
  }
  return lane.march.marcher->step(now.step.begin, now.step.sources, values + lane.coefficients,
                                  {begins, nullptr, values + lane.values});
}

/// The outputs that are sent in the stage of this evaluation, if the lane marches.
inline bool evaluate_stage(const Program& program, const Operation& operation, const Now& now, double* values) {
  const Lane& lane = program.lanes[static_cast<std::size_t>(operation.first)];
  if (!lane.march.marcher) return false;
  const double* const inputs = lane.march.in_place ? values + lane.coefficients : gather_inputs(lane, values).data();
  lane.march.marcher->evaluate({operation.count, now.end(), now.step.sources}, inputs, values + lane.values);
  if (!lane.emitters.empty()) replace_newest(program, lane, values);
  return true;
}

/// Two lanes that march together; how far each came.
std::array<Marched, 2> march_together(const Program& program, const Lane& lane, const Now& now, double* values);

/// Writes the inputs by smoothers that march() has found for a micro step behind those it made.
void take_smoothed(const Program& program, const Lane& lane, int segment, double* values);

}  // namespace seam::coupling
