#include "seam/lti/interconnect.hpp"

#include <Eigen/LU>

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

/// M^-1 R; Eigen does not take an empty R.
Matrix solved(const Matrix& M, const Matrix& R) {
  if (R.size() == 0) return R;
  return Eigen::PartialPivLU<Matrix>(M).solve(R);
}

}  // namespace

// u = K (C x + D u) + E w, hence u = S (K C x + E w) with S = (I - K D)^-1; put into x' and y.
std::optional<StateSpace> interconnect(const std::vector<StateSpace>& parts, const Matrix& K, const Matrix& E) {
  const StateSpace all = stack(parts);
  const Eigen::Index inputs = all.inputs();
  if (K.rows() != inputs || K.cols() != all.outputs() || E.rows() != inputs) {
    throw base::Error(base::Failure::internal, "interconnect: the coupling matrices do not fit the parts");
  }
  const Matrix loop = Matrix::Identity(inputs, inputs) - K * all.D;
  require_finite(loop, "the interconnection");
  if (is_singular(loop)) return std::nullopt;
  const Matrix from_states = solved(loop, K * all.C);
  const Matrix from_external = solved(loop, E);
  return StateSpace{all.A + all.B * from_states, all.B * from_external, all.C + all.D * from_states,
                    all.D * from_external};
}

}  // namespace seam::lti
