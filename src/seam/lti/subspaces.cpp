#include "seam/lti/subspaces.hpp"

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"
#include "seam/lti/flat_step.hpp"
#include "seam/lti/lapack.hpp"
#include "seam/lti/singular_values.hpp"

namespace seam::lti {
namespace {

struct RightSingular {
  Vector values;   ///< falling, one a column of V; zero where M has fewer rows than columns
  Matrix vectors;  ///< V
};

RightSingular right_singular(const Matrix& M) {
  require_finite(M, "the singular values");
  const int rows = lapack_size(M.rows()), columns = lapack_size(M.cols());
  RightSingular result{Vector::Zero(columns), Matrix::Identity(columns, columns)};
  if (rows == 0 || columns == 0) return result;
  const Matrix transposed = M.transpose();
  SingularValues singular(columns, rows);
  if (!singular.compute(transposed.data(), columns, rows, SingularValues::Vectors::left))
    throw base::Error(base::Failure::internal, "the singular value decomposition did not converge");
  for (int i = 0; i < std::min(rows, columns); ++i) result.values(i) = singular.values()[static_cast<std::size_t>(i)];
  result.vectors = Eigen::Map<const Matrix>(singular.left(), columns, columns);
  return result;
}

/// Orthonormal columns that span all v with |M v| small, and perhaps some others: what QR with pivoting leaves of the
/// rows of M.
Matrix nearly_null(const Matrix& M, double threshold) {
  constexpr double pivots_may_hide = 100.0;
  const auto n = lapack_size(M.cols()), rows = lapack_size(M.rows());
  const auto most = std::min(n, rows);
  Matrix Q = M.transpose();
  Vector reflections(most);
  std::vector<lapack_int> order(static_cast<std::size_t>(rows), 0);
  require_success(LAPACKE_dgeqp3(LAPACK_COL_MAJOR, n, rows, Q.data(), n, order.data(), reflections.data()),
                  "an orthogonal basis");
  lapack_int rank = 0;
  while (rank < most && std::abs(Q(rank, rank)) > pivots_may_hide * threshold) ++rank;
  Matrix left = Matrix::Zero(n, n - rank);
  left.bottomRows(n - rank).setIdentity();
  if (rank == n) return left;
  require_success(
      LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', n, n - rank, most, Q.data(), n, reflections.data(), left.data(), n),
      "an orthogonal basis");
  return left;
}

/// The right singular vectors with a singular value of at most `threshold`, the smallest first, at most `at_most`.
Matrix null_space_below(const Matrix& M, double threshold, Eigen::Index at_most) {
  constexpr Eigen::Index large = 100;
  if (M.cols() >= large) {  // singular values of a part of the space, so that those of all of it need not be found
    const Matrix left = nearly_null(M, threshold);
    if (left.cols() < M.cols()) return left * null_space_below(M * left, threshold, at_most);
  }
  const RightSingular singular = right_singular(M);
  const Eigen::Index n = M.cols();
  Eigen::Index count = 0;
  while (count < std::min(n, at_most) && singular.values(n - 1 - count) <= threshold) ++count;
  return singular.vectors.rightCols(count).rowwise().reverse();
}

}  // namespace

Matrix null_space(const Matrix& M, double relative_tolerance) {
  const RightSingular singular = right_singular(M);
  const double largest = singular.values.size() > 0 ? singular.values(0) : 0.0;
  const double threshold = relative_tolerance * largest;
  const auto small = (singular.values.array() <= threshold).count();
  return singular.vectors.rightCols(small).rowwise().reverse();
}

namespace {

/// The first so many columns of Q in basis = Q R.
Matrix orthogonal_factor(const Matrix& basis, Eigen::Index columns) {
  require_finite(basis, "an orthogonal basis");
  const auto n = lapack_size(basis.rows()), count = lapack_size(std::min(basis.rows(), basis.cols()));
  Matrix Q = Matrix::Identity(n, columns);
  if (count == 0) return Q;
  Q.leftCols(count) = basis.leftCols(count);
  Vector reflections(count);
  require_success(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, count, Q.data(), n, reflections.data()), "an orthogonal basis");
  require_success(LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, lapack_size(columns), count, Q.data(), n, reflections.data()),
                  "an orthogonal basis");
  return Q;
}

}  // namespace

Matrix orthonormal(const Matrix& basis) { return orthogonal_factor(basis, basis.cols()); }

Matrix orthogonal_complement(const Matrix& basis) {
  const Eigen::Index n = basis.rows(), count = std::min(n, basis.cols());
  return orthogonal_factor(basis, n).rightCols(n - count);
}

Matrix pseudo_inverse(const Matrix& M, double least) {
  require_finite(M, "a pseudo-inverse");
  const int rows = lapack_size(M.rows()), columns = lapack_size(M.cols());
  Matrix result = Matrix::Zero(columns, rows);
  const double size = M.norm();  // not below the largest singular value
  if (!(size > least)) return result;
  std::vector<double> work(pseudo_inverse_work(rows, columns));
  pseudo_inverse({M.data(), rows, columns}, least / size, result.data(), work.data());
  return result;
}

// Staircase (Golub and Wilkinson 1976): with M N = lambda N and Q = [N, P] orthogonal, Q^T M Q is block triangular with
// lambda I and P^T M P on its diagonal. Repeating it on P^T M P finds the next vectors of the Jordan chains.
Deflation deflate(const Matrix& M, double eigenvalue, int at_most, double tolerance) {
  require_square(M, "deflation");
  require_finite(M, "deflation");
  const Eigen::Index n = M.rows();
  const double threshold = tolerance * std::max(M.norm(), std::abs(eigenvalue));
  Deflation result{M, 0, Matrix(n, 0)};
  Matrix rest = Matrix::Identity(n, n);
  while (result.removed < at_most && result.remainder.rows() > 0) {
    const Eigen::Index size = result.remainder.rows();
    const Matrix shifted = result.remainder - eigenvalue * Matrix::Identity(size, size);
    const Matrix found = null_space_below(shifted, threshold, at_most - result.removed);
    if (found.cols() == 0) break;
    const Matrix others = orthogonal_complement(found);
    Matrix chain(n, result.chain.cols() + found.cols());
    chain << result.chain, rest * found;
    result.chain = chain;
    rest = (rest * others).eval();
    result.remainder = (others.transpose() * result.remainder * others).eval();
    result.removed += static_cast<int>(found.cols());
  }
  return result;
}

}  // namespace seam::lti
