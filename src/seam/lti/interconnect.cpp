#include "seam/lti/interconnect.hpp"

#include <Eigen/LU>
#include <vector>

#include "seam/base/error.hpp"
#include "seam/lti/lapack.hpp"

namespace seam::lti {
namespace {

StateSpace stack(const std::vector<StateSpace>& parts) {
  Eigen::Index n = 0;
  Eigen::Index m = 0;
  Eigen::Index p = 0;
  for (const StateSpace& part : parts) {
    n += part.states();
    m += part.inputs();
    p += part.outputs();
  }
  StateSpace all{Matrix::Zero(n, n), Matrix::Zero(n, m), Matrix::Zero(p, n), Matrix::Zero(p, m)};
  Eigen::Index state = 0;
  Eigen::Index input = 0;
  Eigen::Index output = 0;
  for (const StateSpace& part : parts) {
    all.A.block(state, state, part.states(), part.states()) = part.A;
    all.B.block(state, input, part.states(), part.inputs()) = part.B;
    all.C.block(output, state, part.outputs(), part.states()) = part.C;
    all.D.block(output, input, part.outputs(), part.inputs()) = part.D;
    state += part.states();
    input += part.inputs();
    output += part.outputs();
  }
  return all;
}

/// Whether M is singular to working precision whatever the units of its signals. A plain condition number would call a
/// stiffness of 1e7 outside any loop singular; permuting and balancing first leaves only what is inside a loop.
bool is_singular(const Matrix& M) {
  constexpr double smallest = 1e-12;
  const Eigen::Index n = M.rows();
  if (n == 0) return false;
  Matrix balanced = M;
  Vector scale(n);
  lapack_int low = 0;
  lapack_int high = 0;
  require_success(
      LAPACKE_dgebal(LAPACK_COL_MAJOR, 'B', lapack_size(n), balanced.data(), lapack_size(n), &low, &high, scale.data()),
      "balancing");
  for (Eigen::Index i = 0; i < n; ++i) {
    const bool outside_loops = i < low - 1 || i > high - 1;
    if (outside_loops && std::abs(balanced(i, i)) < smallest) return true;
  }
  const Matrix loops = balanced.block(low - 1, low - 1, high - low + 1, high - low + 1);
  return !(Eigen::PartialPivLU<Matrix>(loops).rcond() > smallest);
}

/// An order in which every row of N needs only rows before it; none if there is a loop.
std::optional<std::vector<Eigen::Index>> substitution_order(const Matrix& N) {
  const Eigen::Index n = N.rows();
  std::vector<Eigen::Index> order, missing(static_cast<std::size_t>(n));
  for (Eigen::Index i = 0; i < n; ++i) {
    missing[static_cast<std::size_t>(i)] = (N.row(i).array() != 0.0).count();
    if (missing[static_cast<std::size_t>(i)] == 0) order.push_back(i);
  }
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (Eigen::Index i = 0; i < n; ++i) {
      if (N(i, order[next]) != 0.0 && --missing[static_cast<std::size_t>(i)] == 0) order.push_back(i);
    }
  }
  if (static_cast<Eigen::Index>(order.size()) < n) return std::nullopt;
  return order;
}

/// (I - N)^-1 R. Without loops by putting one into the other: what is zero stays exactly zero. Eigen does not take an
/// empty R.
Matrix solved(const Matrix& N, const Matrix& R) {
  if (R.size() == 0) return R;
  const auto order = substitution_order(N);
  if (!order) return Eigen::PartialPivLU<Matrix>(Matrix::Identity(N.rows(), N.cols()) - N).solve(R);
  Matrix result = R;
  for (const Eigen::Index i : *order) result.row(i) += N.row(i) * result;
  return result;
}

}  // namespace

// u = K (C x + D u) + E w, hence u = S (K C x + E w) with S = (I - K D)^-1; put into x' and y.
std::optional<StateSpace> interconnect(const std::vector<StateSpace>& parts, const Matrix& K, const Matrix& E) {
  const StateSpace all = stack(parts);
  const Eigen::Index inputs = all.inputs();
  if (K.rows() != inputs || K.cols() != all.outputs() || E.rows() != inputs) {
    throw base::Error(base::Failure::internal, "interconnect: the coupling matrices do not fit the parts");
  }
  const Matrix through = K * all.D;
  require_finite(through, "the interconnection");
  if (is_singular(Matrix::Identity(inputs, inputs) - through)) return std::nullopt;
  const Matrix from_states = solved(through, K * all.C);
  const Matrix from_external = solved(through, E);
  return StateSpace{all.A + all.B * from_states, all.B * from_external, all.C + all.D * from_states,
                    all.D * from_external};
}

}  // namespace seam::lti
