// A step of a linear system, and what inverts its inputs, over memory of the caller: nothing is allocated. All matrices
// are column-major.
#pragma once

#include <cstddef>

namespace seam::lti {

/// x(t + h) = Ad x(t) + sum_j G_j c_j for x' = A x + B u with u = sum_j c_j theta^j, theta from 0 to 1 over the step:
/// Ad (n x n) and G_0, …, G_degree (n x m each, one behind the other).
struct FlatStep {
  int n = 0, m = 0;
  const double* A = nullptr;
  const double* B = nullptr;
  double h = 0.0;
  double* Ad = nullptr;
  double* G = nullptr;
  double* work = nullptr;  ///< flat_step_work(n, m) doubles
  int degree = 2;
};

std::size_t flat_step_work(int n, int m);
void flat_step(const FlatStep& step);

struct FlatMatrix {
  const double* numbers = nullptr;
  int rows = 0, columns = 0;
};

/// X = pseudo-inverse of a matrix, columns x rows. Singular values below `tolerance` times the largest count as 0.
/// `work` has pseudo_inverse_work(rows, columns) doubles.
std::size_t pseudo_inverse_work(int rows, int columns);
void pseudo_inverse(const FlatMatrix& matrix, double tolerance, double* X, double* work);

}  // namespace seam::lti
