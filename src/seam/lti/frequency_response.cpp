#include "seam/lti/frequency_response.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "seam/base/error.hpp"
#include "seam/lti/balance.hpp"
#include "seam/lti/lapack.hpp"

namespace seam::lti {
namespace {

StateSpace scale_states(const StateSpace& system) {
  if (system.B.rows() != system.states() || system.C.cols() != system.states() || system.B.cols() != system.inputs() ||
      system.C.rows() != system.outputs()) {
    throw base::Error(base::Failure::internal, "the matrices of a linear system do not fit together");
  }
  for (const Matrix* matrix : {&system.B, &system.C, &system.D}) require_finite(*matrix, "the frequency response");
  const Balanced balanced = balance(system.A);
  return {balanced.matrix, balanced.scale.cwiseInverse().asDiagonal() * system.B,
          system.C * balanced.scale.asDiagonal(), system.D};
}

StateSpace to_hessenberg(const StateSpace& system) {
  const auto n = lapack_size(system.states());
  StateSpace result = system;
  if (n < 2) return result;
  Vector reflections(n - 1);
  require_success(LAPACKE_dgehrd(LAPACK_COL_MAJOR, n, 1, n, result.A.data(), n, reflections.data()),
                  "the reduction to Hessenberg form");
  Matrix Q = result.A;
  require_success(LAPACKE_dorghr(LAPACK_COL_MAJOR, n, 1, n, Q.data(), n, reflections.data()),
                  "the reduction to Hessenberg form");
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = j + 2; i < n; ++i) result.A(i, j) = 0.0;
  }
  result.B = Q.transpose() * system.B;
  result.C = system.C * Q;
  return result;
}

std::vector<Term> terms_of(const Matrix& matrix) {
  std::vector<Term> terms;
  for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
    for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
      if (matrix(row, column) != 0.0) terms.push_back({row, column, matrix(row, column)});
    }
  }
  return terms;
}

/// The sum of each group of columns, by their shares.
ComplexMatrix mixed(const std::vector<Term>& terms, const Eigen::VectorXcd& shares, Eigen::Index rows,
                    Eigen::Index groups) {
  ComplexMatrix result = ComplexMatrix::Zero(rows, groups);
  for (const Term& term : terms)
    result(term.row, term.column / shares.size()) += term.value * shares(term.column % shares.size());
  return result;
}

constexpr Eigen::Index worth_zeros = 100;

}  // namespace

FrequencyResponse::FrequencyResponse(const StateSpace& system, TimeDomain domain, Solving solving)
    : balanced_(scale_states(system)), domain_(domain) {
  if (solving == Solving::by_size && system.states() >= worth_zeros) {
    terms_ = terms_of(-balanced_.A);
    of_B_ = terms_of(balanced_.B);
    of_C_ = terms_of(balanced_.C);
    return;
  }
  hessenberg_ = to_hessenberg(balanced_);
  minus_A_ = -hessenberg_.A.cast<Complex>();
  B_ = hessenberg_.B.cast<Complex>();
}

ComplexMatrix FrequencyResponse::solve_sparsely(Complex p, const Eigen::VectorXcd& shares) const {
  const Eigen::Index groups = balanced_.D.cols() / shares.size();
  std::vector<Term> terms = terms_;
  for (Eigen::Index i = 0; i < balanced_.states(); ++i) terms.push_back({i, i, p});
  SparseSolver solver(balanced_.states());
  const ComplexMatrix X = solver.solve(terms, mixed(of_B_, shares, balanced_.states(), groups)).transpose();
  ComplexMatrix result = mixed(terms_of(balanced_.D), shares, balanced_.D.rows(), groups).transpose();
  for (const Term& term : of_C_) result.col(term.row) += term.value * X.col(term.column);
  return result.transpose();
}

/// (p I - H) X = B in place: elimination of the one subdiagonal with row exchanges, then back substitution.
void FrequencyResponse::solve(Rows& M, Rows& X) {
  const Eigen::Index n = M.rows();
  for (Eigen::Index k = 0; k + 1 < n; ++k) {
    if (std::abs(M(k + 1, k)) > std::abs(M(k, k))) {
      M.row(k).tail(n - k).swap(M.row(k + 1).tail(n - k));
      X.row(k).swap(X.row(k + 1));
    }
    if (M(k + 1, k) == Complex{}) continue;
    const Complex factor = M(k + 1, k) / M(k, k);
    M.row(k + 1).tail(n - k - 1) -= factor * M.row(k).tail(n - k - 1);
    X.row(k + 1) -= factor * X.row(k);
  }
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    const Eigen::Index below = n - k - 1;
    if (below > 0) X.row(k).noalias() -= M.row(k).tail(below) * X.bottomRows(below);
    // a pole hit exactly: the smallest distance that numbers know, so that the answer is huge instead of undefined
    X.row(k) /= M(k, k) == Complex{} ? Complex{1e-300} : M(k, k);
  }
}

ComplexMatrix FrequencyResponse::at_point(Complex p) const {
  if (!terms_.empty()) return solve_sparsely(p, Eigen::VectorXcd::Ones(1));
  Rows shifted = minus_A_;
  shifted.diagonal().array() += p;
  Rows X = B_;
  solve(shifted, X);
  return hessenberg_.C.cast<Complex>() * X + hessenberg_.D.cast<Complex>();
}

ComplexMatrix FrequencyResponse::at_point(Complex p, const Eigen::VectorXcd& shares) const {
  if (!terms_.empty()) return solve_sparsely(p, shares);
  const Eigen::Index groups = B_.cols() / shares.size();
  Rows shifted = minus_A_;
  shifted.diagonal().array() += p;
  Rows X(B_.rows(), groups);
  ComplexMatrix direct(hessenberg_.D.rows(), groups);
  for (Eigen::Index i = 0; i < groups; ++i) {
    X.col(i) = B_.middleCols(i * shares.size(), shares.size()) * shares;
    direct.col(i) = hessenberg_.D.middleCols(i * shares.size(), shares.size()) * shares;
  }
  solve(shifted, X);
  return hessenberg_.C.cast<Complex>() * X + direct;
}

ComplexMatrix FrequencyResponse::at(double frequency) const {
  if (domain_ == TimeDomain::discrete) return at_point(std::polar(1.0, frequency));
  if (std::isinf(frequency)) return balanced_.D.cast<Complex>();
  return at_point({0.0, frequency});
}

double largest_singular_value(const ComplexMatrix& G) {
  if (G.size() == 0) return 0.0;
  if (!G.allFinite()) return std::numeric_limits<double>::infinity();
  if (G.size() == 1) return std::abs(G(0, 0));
  ComplexMatrix work = G;
  const auto rank = std::min(G.rows(), G.cols());
  Vector values(rank);
  std::vector<double> unconverged(static_cast<std::size_t>(rank));
  require_success(LAPACKE_zgesvd(LAPACK_COL_MAJOR, 'N', 'N', lapack_size(G.rows()), lapack_size(G.cols()), work.data(),
                                 lapack_size(G.rows()), values.data(), nullptr, 1, nullptr, 1, unconverged.data()),
                  "the singular value decomposition");
  return values(0);
}

double smallest_real_part(const ComplexMatrix& G) {
  if (G.size() == 0) return 0.0;
  if (!G.allFinite()) return -std::numeric_limits<double>::infinity();
  ComplexMatrix sum = G + G.adjoint();
  Vector values(G.rows());
  require_success(LAPACKE_zheevd(LAPACK_COL_MAJOR, 'N', 'L', lapack_size(G.rows()), sum.data(), lapack_size(G.rows()),
                                 values.data()),
                  "the eigenvalues of G + G^H");
  return values(0);
}

}  // namespace seam::lti
