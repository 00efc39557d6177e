// One subsystem while its model is compared with its outputs. Only source files of this room include it.
#pragma once

#include "seam/coupling/corrector/context.hpp"

namespace seam::coupling {

// Rows of what outputs are beyond their model, and of innovations; as many as the order needs.
inline constexpr int residual = 0, innovation = 1, residual_before = 2, innovation_before = 3, residual_two_before = 4;

/// One lane, its matrices, and its inputs as they lie in Memory::values: one block a power of theta.
struct Observed {
  Observed(const Program& program, const CorrectedLane& corrected, Memory& memory)
      : lane(corrected),
        own(program.lanes[static_cast<std::size_t>(corrected.lane)]),
        at(program.correction->prediction
               ->observers[static_cast<std::size_t>(&corrected - program.correction->lanes.data())]),
        values(memory.values.data()),
        models(memory.models.data()) {}

  /// to += matrix times the coefficients, power after power.
  void add_inputs(const double* matrix, int rows, double* to) const {
    for (int k = 0; k <= own.degree; ++k)
      add_product(matrix + k * rows * own.inputs, rows, own.inputs, values + own.coefficients + k * own.inputs, to);
  }
  double* estimate() const { return values + lane.carried; }
  double* at_begin() const { return values + lane.at_begin; }
  double* row(const Correction& c, int number) const { return values + c.output_row(number) + lane.first_output; }
  double* left(const Correction& c) const { return row(c, residual); }

  const CorrectedLane& lane;
  const Lane& own;
  const ObserverPlaces& at;
  double *values, *models;
};

}  // namespace seam::coupling
