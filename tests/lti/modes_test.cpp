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

TEST(ModalSystem, answers_as_the_system_does) {
  RandomMatrices random(72);
  for (int n = 1; n < 9; ++n) {
    const StateSpace system{random.matrix(n, n), random.matrix(n, 3), random.matrix(2, n), random.matrix(2, 3)};
    const FrequencyResponse response(system, TimeDomain::continuous);
    const auto modes = modal_system(system);
    ASSERT_TRUE(modes);
    for (const Complex p : {Complex{0.3, 2.0}, Complex{0.0, 40.0}, Complex{2.0, 0.0}})
      EXPECT_LT((modes->at(p) - response.at_point(p)).norm(), 1e-10 * response.at_point(p).norm()) << n;
    const ModalSystem part = modes->part({1}, {2, 0});
    EXPECT_EQ(part.at(1.0)(0, 1), modes->at(1.0)(1, 0));
  }
}

// x+ = 0.9 x + s2, where s2 is the input three samples ago: the chain of samples has no vectors of its own.
TEST(ModalSystem, has_a_series_for_chains_of_samples) {
  const Matrix A{{0.9, 0.0, 1.0}, {0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
  const StateSpace system{A, Matrix{{0.0}, {1.0}, {0.0}}, Matrix{{1.0, 0.0, 0.0}}, Matrix{{0.0}}};
  const auto modes = modal_system(system, 0.3);
  ASSERT_TRUE(modes);
  EXPECT_EQ(modes->poles.size(), 1);
  for (const double angle : {0.0, 0.5, 3.0}) {
    const Complex z = std::polar(1.0, angle);
    EXPECT_LT(std::abs(modes->at(z)(0, 0) - 1.0 / (z * z * (z - 0.9))), 1e-13);
  }
}

TEST(ModalSystem, of_a_free_mass_is_not_to_be_had) {
  EXPECT_FALSE(modal_system({Matrix{{0.0, 1.0}, {0.0, 0.0}}, Matrix{{0.0}, {1.0}}, Matrix{{1.0, 0.0}}, Matrix{{0.0}}}));
}

}  // namespace
}  // namespace seam::lti
