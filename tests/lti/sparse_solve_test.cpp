#include "seam/lti/sparse_solve.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "lti/random_matrices.hpp"

namespace seam::lti {
namespace {

/// A ring: every equation has its own unknown and the next one, at most places there is nothing.
std::vector<Term> ring(RandomMatrices& random, Eigen::Index size) {
  std::vector<Term> terms;
  for (Eigen::Index i = 0; i < size; ++i) {
    const Matrix values = random.matrix(4, 1);
    terms.push_back({i, i, {2.0 + values(0), values(1)}});
    terms.push_back({i, (i + 1) % size, {values(2), values(3)}});
    terms.push_back({i, i, 0.5});  // added to what stands there
  }
  return terms;
}

Eigen::MatrixXcd dense(const std::vector<Term>& terms, Eigen::Index size) {
  Eigen::MatrixXcd result = Eigen::MatrixXcd::Zero(size, size);
  for (const Term& term : terms) result(term.row, term.column) += term.value;
  return result;
}

TEST(SparseSolver, agrees_with_dense_elimination_for_one_set_of_coefficients_after_the_other) {
  RandomMatrices random(11);
  constexpr Eigen::Index size = 40;
  SparseSolver solver(size);
  for (int i = 0; i < 5; ++i) {
    const std::vector<Term> terms = ring(random, size);
    const Eigen::MatrixXcd B = random.matrix(size, 3).cast<std::complex<double>>();
    const Eigen::MatrixXcd X = solver.solve(terms, B);
    EXPECT_LT((X - dense(terms, size).partialPivLu().solve(B)).norm(), 1e-12 * X.norm());
  }
}

TEST(SparseSolver, what_has_no_solution_is_infinite) {
  const Eigen::MatrixXcd B = Eigen::MatrixXcd::Ones(2, 1);
  SparseSolver solver(2);
  EXPECT_TRUE(std::isinf(solver.solve({{0, 0, 1.0}, {1, 0, 1.0}, {1, 1, 0.0}}, B)(0, 0).real()));
  EXPECT_TRUE(std::isinf(
      solver.solve({{0, 0, 1.0}, {1, 0, 1.0}, {1, 1, std::numeric_limits<double>::quiet_NaN()}}, B)(0, 0).real()));
  EXPECT_NEAR(solver.solve({{0, 0, 1.0}, {1, 0, 1.0}, {1, 1, 2.0}}, B)(0, 0).real(), 1.0, 1e-15);  // and is not kept
}

}  // namespace
}  // namespace seam::lti
