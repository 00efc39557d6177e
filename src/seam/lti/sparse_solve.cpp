#include "seam/lti/sparse_solve.hpp"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace seam::lti {

struct SparseSolver::Factors {
  Eigen::SparseMatrix<std::complex<double>> matrix;
  Eigen::SparseLU<Eigen::SparseMatrix<std::complex<double>>, Eigen::COLAMDOrdering<int>> lu;
  std::vector<Eigen::Triplet<std::complex<double>>> triplets;
  bool ordered = false;
};

SparseSolver::SparseSolver(Eigen::Index size) : factors_(std::make_unique<Factors>()) {
  factors_->matrix.resize(size, size);
}
SparseSolver::~SparseSolver() = default;
SparseSolver::SparseSolver(SparseSolver&&) noexcept = default;
SparseSolver& SparseSolver::operator=(SparseSolver&&) noexcept = default;

Eigen::MatrixXcd SparseSolver::solve(const std::vector<Term>& A, const Eigen::MatrixXcd& B) {
  const Eigen::MatrixXcd none = Eigen::MatrixXcd::Constant(B.rows(), B.cols(), std::numeric_limits<double>::infinity());
  const auto finite = [](const Term& term) {
    return std::isfinite(term.value.real()) && std::isfinite(term.value.imag());
  };
  if (!std::all_of(A.begin(), A.end(), finite)) return none;
  if (B.size() == 0) return B;
  Factors& f = *factors_;
  f.triplets.clear();
  for (const Term& term : A)
    f.triplets.emplace_back(static_cast<int>(term.row), static_cast<int>(term.column), term.value);
  f.matrix.setFromTriplets(f.triplets.begin(), f.triplets.end());
  if (!std::exchange(f.ordered, true)) f.lu.analyzePattern(f.matrix);
  f.lu.factorize(f.matrix);
  return f.lu.info() == Eigen::Success ? Eigen::MatrixXcd(f.lu.solve(B)) : none;
}

}  // namespace seam::lti
