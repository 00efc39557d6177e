// Known signals as polynomials over a step. Only source files of this room include it.
#pragma once

#include "seam/assembly/facets.hpp"
#include "seam/assembly/step.hpp"

namespace seam::coupling {

/// A known signal of a subsystem over a step.
struct KnownSignal {
  const assembly::Tuning& signals;
  int port = 0;
  double begin = 0.0, length = 0.0;  ///< s
  assembly::Sources sources = assembly::Sources::live;

  double at(double theta) const { return signals.signal_at(port, begin + theta * length, Limit::after, sources); }
  double before(double theta) const { return signals.signal_at(port, begin + theta * length, Limit::before, sources); }
  using Limit = assembly::Tuning::Limit;
};

/// Coefficients of theta^k, k up to `degree` (0 to 2). A smooth signal: the parabola through both ends and the middle,
/// the line nearest to it, or the middle. Where it jumps or has corners: with its mean, with its first moment, and with
/// its value at the end, as far as the degree allows.
void write_course(const KnownSignal& signal, int degree, double* coefficients);

}  // namespace seam::coupling
