#include "seam/lti/modes.hpp"

#include <gtest/gtest.h>

#include "lti/random_matrices.hpp"

namespace seam::lti {
namespace {

TEST(Modes, add_up_to_the_system) {
  RandomMatrices random(71);
  for (int draw = 0; draw < 10; ++draw) {
    const int n = 1 + draw % 7;
    StateSpace system{random.matrix(n, n), random.matrix(n, 2), random.matrix(3, n), random.matrix(3, 2)};
    if (n > 1) {  // other units
      system.A.row(0) *= 1e6;
      system.A.col(0) *= 1e-6;
      system.B.row(0) *= 1e6;
      system.C.col(0) *= 1e-6;
    }
    const auto parts = modal_parts(system);
    ASSERT_TRUE(parts);
    const StateSpace sum = sum_of(*parts, system.D);
    Matrix left = system.B, right = sum.B;
    for (int i = 0; i < 10; ++i) {
      EXPECT_LT((system.C * left - sum.C * right).norm(), 1e-10 * (system.C * left).norm()) << draw;
      left = system.A * left;
      right = sum.A * right;
    }
    for (const StateSpace& part : *parts) EXPECT_LE(part.states(), 2);
  }
}

TEST(Modes, of_a_free_mass_cannot_be_told_apart) {
  EXPECT_FALSE(modal_parts({Matrix{{1.0, 0.1}, {0.0, 1.0}}, Matrix{{0.0}, {1.0}}, Matrix{{1.0, 0.0}}, Matrix{{0.0}}}));
}

TEST(Modes, of_a_gain_are_none) {
  const auto parts = modal_parts({Matrix(0, 0), Matrix(0, 1), Matrix(1, 0), Matrix{{2.0}}});
  ASSERT_TRUE(parts);
  EXPECT_TRUE(parts->empty());
  EXPECT_EQ(sum_of(*parts, Matrix{{2.0}}).D(0, 0), 2.0);
}

}  // namespace
}  // namespace seam::lti
