// Two linear models side by side, step for step: a number of the one and a number of the other are computed with at
// once, each as if it were alone, and neither waits for the other.
#pragma once

#include <span>

#include "seam/ode/fixed_step.hpp"

namespace seam::ode {

/// Matrices are row-major, of the larger sizes, 0 where a model has fewer; every entry is two numbers side by side.
struct LinearPair {
  const double* A = nullptr;
  const double* B = nullptr;
  double h[2] = {};
};

struct PairKernels {
  /// Inputs and states lie as LinearKernels::advance has them, in twos; inputs of one step `apart` twos from the next.
  struct Ways {
    const double* inputs = nullptr;
    int apart = 0;
    double* states = nullptr;
  };
  void (*advance)(const LinearPair& pair, int count, const Ways& ways, double* x) = nullptr;
  /// One output of each at many points: c x + d u of a row of C and D in twos.
  struct Reading {
    const double *c = nullptr, *d = nullptr;
    const double *states = nullptr, *inputs = nullptr;  ///< at the first point
    int states_apart = 0, inputs_apart = 0;             ///< twos
    double* to[2] = {};
    int to_apart[2] = {};
  };
  void (*read)(const Reading& reading, int count) = nullptr;
  /// advance() and read() of the begins of its steps in one.
  void (*advance_reading)(const LinearPair& pair, int count, const Reading& reading, double* x,
                          double* states) = nullptr;
};

/// For so many states and inputs; null where such sizes or steps of this method are not unrolled.
const PairKernels* pair_kernels(int states, int inputs, Method method);

}  // namespace seam::ode
