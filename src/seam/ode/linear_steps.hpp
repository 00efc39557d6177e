// Linear equations by the fixed-step methods: many steps in one call, unrolled for small sizes, and equal to the bit to
// what FixedStepSolver makes of the same equations.
#pragma once

#include <span>

#include "seam/ode/fixed_step.hpp"

namespace seam::ode {

/// x' = A x + B u with equations whose entries are summed as Ode::row_sums says. Matrices are row-major.
struct LinearSteps {
  const double* A = nullptr;
  const double* B = nullptr;
  const int* velocity_of = nullptr;  ///< null: first order
  double h = 0.0;
};

/// Rows of inputs that one step of a method needs: at its begin, then at the middle, then at the end.
int input_rows(Method method);

struct LinearKernels {
  /// Moves `x` by so many steps and writes it to `states` before the first and after each of them, a row of n each
  /// time. `inputs`: input_rows of m numbers a step.
  void (*advance)(const LinearSteps& steps, int count, const double* inputs, double* x, double* states) = nullptr;
  /// Outputs at many points: c x + d u of some rows of C and D.
  struct Reading {
    const double *C = nullptr, *D = nullptr;
    std::span<const int> outputs;
    const double *states = nullptr, *inputs = nullptr;  ///< at the first point
    int states_apart = 0, inputs_apart = 0;
    double* to = nullptr;
    int to_apart = 0;
  };
  void (*read)(const Reading& reading, int count) = nullptr;
  /// P x + Q u: all entries of the derivatives or of the outputs.
  struct Product {
    const double *P = nullptr, *Q = nullptr, *x = nullptr, *u = nullptr;
  };
  void (*read_all)(const Product& product, Out to) = nullptr;
  /// One step of Euler's rule with constant inputs: some outputs at its begin, all at its end.
  struct Single {
    const double *C = nullptr, *D = nullptr;
    std::span<const int> begin_outputs;
    int outputs = 0;
    const double* inputs = nullptr;
    double* x = nullptr;
    double *begins = nullptr, *ends = nullptr;
  };
  void (*single)(const LinearSteps& steps, const Single& single) = nullptr;
  /// The same row of inputs so many times.
  void (*repeat)(const double* row, int count, double* to) = nullptr;
};

/// For so many states and inputs; null where such sizes are not unrolled.
const LinearKernels* linear_kernels(int states, int inputs, Method method);

}  // namespace seam::ode
