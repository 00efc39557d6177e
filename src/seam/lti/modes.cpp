#include "seam/lti/modes.hpp"

#include <Eigen/LU>

#include "seam/lti/balance.hpp"
#include "seam/lti/lapack.hpp"

namespace seam::lti {

// A pair of poles a +- jb with the eigenvectors p +- jq: A [p q] = [p q] [a b; -b a], so that the real and imaginary
// parts that LAPACK gives are columns of a real basis.
std::optional<std::vector<StateSpace>> modal_parts(const StateSpace& system) {
  const Eigen::Index n = system.states();
  std::vector<StateSpace> parts;
  if (n == 0) return parts;
  const Balanced balanced = balance(system.A);
  Matrix work = balanced.matrix, basis(n, n);
  Vector real(n), imaginary(n);
  require_success(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', lapack_size(n), work.data(), lapack_size(n), real.data(),
                                imaginary.data(), nullptr, 1, basis.data(), lapack_size(n)),
                  "the QR iteration for the modes");
  const Eigen::PartialPivLU<Matrix> inverse(basis);
  if (!(inverse.rcond() > 1e-8)) return std::nullopt;
  const Matrix B = inverse.solve(balanced.scale.cwiseInverse().asDiagonal() * system.B);
  const Matrix C = system.C * balanced.scale.asDiagonal() * basis;
  for (Eigen::Index i = 0; i < n;) {
    const Eigen::Index size = imaginary(i) == 0.0 ? 1 : 2;
    Matrix A = Matrix::Constant(1, 1, real(i));
    if (size == 2) A = Matrix{{real(i), imaginary(i)}, {-imaginary(i), real(i)}};
    parts.push_back({A, B.middleRows(i, size), C.middleCols(i, size), Matrix::Zero(system.outputs(), system.inputs())});
    i += size;
  }
  return parts;
}

StateSpace sum_of(const std::vector<StateSpace>& parts, const Matrix& D) {
  Eigen::Index n = 0;
  for (const StateSpace& part : parts) n += part.states();
  StateSpace sum{Matrix::Zero(n, n), Matrix::Zero(n, D.cols()), Matrix::Zero(D.rows(), n), D};
  Eigen::Index at = 0;
  for (const StateSpace& part : parts) {
    const Eigen::Index size = part.states();
    sum.A.block(at, at, size, size) = part.A;
    sum.B.middleRows(at, size) = part.B;
    sum.C.middleCols(at, size) = part.C;
    at += size;
  }
  return sum;
}

}  // namespace seam::lti
