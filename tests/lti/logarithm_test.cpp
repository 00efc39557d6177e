#include "seam/lti/logarithm.hpp"

#include <gtest/gtest.h>

#include "lti/random_matrices.hpp"
#include "seam/lti/discretise.hpp"
#include "seam/lti/exponential.hpp"

namespace seam::lti {
namespace {

TEST(Logarithm, is_the_inverse_of_the_exponential) {
  RandomMatrices random(61);
  for (const int n : {1, 2, 5, 9}) {
    const Matrix M = random.matrix(n, n);
    const auto back = logarithm(exponential(M));
    ASSERT_TRUE(back);
    EXPECT_LT((*back - M).norm(), 1e-10 * M.norm()) << n;
  }
}

TEST(Logarithm, of_a_chain_of_integrators_is_exact) {
  const Matrix M{{0.0, 0.01, 0.0}, {0.0, 0.0, 0.01}, {0.0, 0.0, 0.0}};
  const auto back = logarithm(exponential(M));
  ASSERT_TRUE(back);
  EXPECT_LT((*back - M).norm(), 1e-12);
}

TEST(Logarithm, does_not_exist_for_eigenvalues_at_zero_or_left_of_it) {
  EXPECT_FALSE(logarithm(Matrix{{0.0}}));
  EXPECT_FALSE(logarithm(Matrix{{-0.5}}));
  EXPECT_FALSE(logarithm(Matrix{{0.0, 1.0}, {0.0, 0.0}}));
}

TEST(UndoHold, finds_the_equations_of_a_sampled_system) {
  const StateSpace system{Matrix{{0.0, 1.0}, {-400.0, -2.0}}, Matrix{{0.0}, {1e4}}, Matrix{{1.0, 0.0}}, Matrix{{0.0}}};
  const PolynomialStep step = discretise(system, 0.01, 0);
  const auto back = undo_hold({step.Ad, step.G[0], system.C, system.D}, 0.01);
  ASSERT_TRUE(back);
  EXPECT_LT((back->A - system.A).norm(), 1e-9 * system.A.norm());
  EXPECT_LT((back->B - system.B).norm(), 1e-9 * system.B.norm());
}

}  // namespace
}  // namespace seam::lti
