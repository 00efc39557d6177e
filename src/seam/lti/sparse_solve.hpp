// Square equations most of whose coefficients are zero.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <memory>
#include <vector>

namespace seam::lti {

/// One term of one equation; terms in the same place are added.
struct Term {
  Eigen::Index row = 0, column = 0;
  std::complex<double> value;
};

/// Solves equations again and again that have their terms in the same places.
class SparseSolver {
 public:
  explicit SparseSolver(Eigen::Index size);
  ~SparseSolver();
  SparseSolver(SparseSolver&&) noexcept;
  SparseSolver& operator=(SparseSolver&&) noexcept;

  /// X with A X = B; infinite where A is singular or not finite.
  Eigen::MatrixXcd solve(const std::vector<Term>& A, const Eigen::MatrixXcd& B);

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace seam::lti
