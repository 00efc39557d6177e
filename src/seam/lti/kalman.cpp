#include "seam/lti/kalman.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "seam/lti/balance.hpp"
#include "seam/lti/lapack.hpp"
#include "seam/lti/subspaces.hpp"

namespace seam::lti {
namespace {

Matrix identity(Eigen::Index n) { return Matrix::Identity(n, n); }

}  // namespace

// P = A P (I + G P)^-1 A^T + Q with G = C^T R^-1 C, by structured doubling (Chu, Fan, Lin and Wang 2004,
// doi:10.1080/00207170410001714988): the k-th iterate is the covariance after 2^k steps from P = 0.
std::optional<SteadyFilter> steady_filter(const FilterProblem& problem) {
  constexpr int most_doublings = 60;
  constexpr double settled = 1e-14;
  const Eigen::Index n = problem.A.rows();
  require_square(problem.A, "a steady-state filter");
  for (const Matrix* matrix : {&problem.A, &problem.C, &problem.Q, &problem.R})
    require_finite(*matrix, "a steady-state filter");
  const Eigen::LLT<Matrix> R(problem.R);
  Matrix F = problem.A.transpose(), P = problem.Q;
  Matrix G = n > 0 && problem.C.rows() > 0 ? Matrix(problem.C.transpose() * R.solve(problem.C)) : Matrix::Zero(n, n);
  for (int k = 0; n > 0; ++k) {
    const Eigen::PartialPivLU<Matrix> inner(identity(n) + G * P);
    const Matrix right = inner.solve(F), spread = inner.solve(G * F.transpose());
    const Matrix added = F.transpose() * P * right;
    const Matrix next = P + 0.5 * (added + added.transpose());
    if (!next.allFinite()) return std::nullopt;
    const bool is_settled = added.lpNorm<Eigen::Infinity>() <= settled * next.lpNorm<Eigen::Infinity>();
    G += F * spread;
    G = (0.5 * (G + G.transpose())).eval();
    F = (F * right).eval();
    P = next;
    if (is_settled) break;
    if (k == most_doublings) return std::nullopt;
  }
  if (problem.C.rows() == 0) return SteadyFilter{Matrix::Zero(n, 0), P};
  const Matrix of_outputs = problem.C * P * problem.C.transpose() + problem.R;
  return SteadyFilter{Eigen::LLT<Matrix>(of_outputs).solve(problem.C * P).transpose(), P};
}

// What A keeps inside the null space of C, found by taking out of that null space what A moves out of it.
ObservablePart observable_part(const StateSpace& system) {
  constexpr double unseen = 1e-11;
  const Eigen::Index n = system.states();
  if (n == 0) return {system, Matrix::Identity(0, 0)};
  const Balanced balanced = balance(system.A);
  Matrix C = system.C * balanced.scale.asDiagonal();
  for (Eigen::Index row = 0; row < C.rows(); ++row) {
    const double size = C.row(row).norm();
    if (size > 0.0) C.row(row) /= size;
  }
  const double size = balanced.matrix.norm();
  const Matrix A = size > 0.0 ? Matrix(balanced.matrix / size) : balanced.matrix;
  Matrix shown = C;  // rows that span what outputs show so far
  Matrix hidden = C.rows() == 0 ? identity(n) : null_space(C, unseen);
  while (hidden.cols() > 0) {
    const Matrix others = orthogonal_complement(hidden);
    const Matrix moved = others.transpose() * A * hidden;
    if (moved.size() == 0) break;
    if (moved.norm() <= unseen) break;
    const Matrix kept = null_space(moved, unseen / std::max(moved.norm(), unseen));
    if (kept.cols() == hidden.cols()) break;
    hidden = (hidden * kept).eval();
  }
  const Matrix seen = orthogonal_complement(hidden);
  const Matrix scaled = balanced.scale.cwiseInverse().asDiagonal();
  ObservablePart part;
  part.to_part = seen.transpose() * scaled;
  part.system = {seen.transpose() * balanced.matrix * seen, part.to_part * system.B,
                 system.C * balanced.scale.asDiagonal() * seen, system.D};
  return part;
}

}  // namespace seam::lti
