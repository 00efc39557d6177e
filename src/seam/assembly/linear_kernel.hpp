// The arithmetic of one exact step, unrolled for small systems: x+ = Ad x + sum_j G_j c_j, then y = C x+ + D u(1).
#pragma once

namespace seam::assembly {

/// What a step needs, flat. Columns of `step`: n of Ad, then m of G_0, m of G_1, … (n entries each); columns of `out`:
/// n of C, then m of D if anything feeds through (p entries each).
struct LinearStep {
  const double* step = nullptr;
  const double* out = nullptr;
  double* x = nullptr;
  double* scratch = nullptr;  ///< n + m doubles, for sizes that are not unrolled
  int n = 0, m = 0, p = 0, degree = 0;
  bool feeds_through = false;
};

using LinearKernel = void (*)(const LinearStep& step, const double* coefficients, double* y);

/// The kernel for these sizes; every one adds up in the same order, so that results do not depend on which is taken.
LinearKernel linear_kernel(const LinearStep& sizes);

}  // namespace seam::assembly
