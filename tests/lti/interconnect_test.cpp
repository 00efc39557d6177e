#include "seam/lti/interconnect.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "seam/lti/eigenvalues.hpp"

namespace seam::lti {
namespace {

/// A static gain.
StateSpace gain(double k) { return {Matrix(0, 0), Matrix(0, 1), Matrix(1, 0), Matrix::Constant(1, 1, k)}; }

TEST(Interconnect, two_coupled_oscillators_are_the_two_mass_system) {
  // The owner of the spring kc takes x2 and v2 and gives F = kc (x1 - x2) + dc (v1 - v2); the other takes F.
  const double k1 = 10, k2 = 1000, kc = 100, dc = 0.1;
  StateSpace owner;
  owner.A.resize(2, 2);
  owner.A << 0, 1, -k1 - kc, -dc;
  owner.B.resize(2, 2);
  owner.B << 0, 0, kc, dc;
  owner.C.resize(1, 2);
  owner.C << kc, dc;
  owner.D.resize(1, 2);
  owner.D << -kc, -dc;
  StateSpace other;
  other.A.resize(2, 2);
  other.A << 0, 1, -k2, 0;
  other.B.resize(2, 1);
  other.B << 0, 1;
  other.C = Matrix::Identity(2, 2);
  other.D = Matrix::Zero(2, 1);
  Matrix K = Matrix::Zero(3, 3);
  K(0, 1) = K(1, 2) = K(2, 0) = 1.0;
  Matrix E = Matrix::Zero(3, 1);
  E(2, 0) = 1.0;

  const auto whole = interconnect({owner, other}, K, E);
  ASSERT_TRUE(whole.has_value());
  Matrix expected(4, 4);
  expected << 0, 1, 0, 0, -k1 - kc, -dc, kc, dc, 0, 0, 0, 1, kc, dc, -k2 - kc, -dc;
  EXPECT_LT((whole->A - expected).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(whole->B(3, 0), 1.0);
  EXPECT_EQ(whole->B(1, 0), 0.0);
  EXPECT_LT(std::abs(whole->C(0, 2) + kc), 1e-12) << "the force sees the other mass";
}

TEST(Interconnect, undamped_two_mass_system_has_its_closed_form_frequencies) {
  const double k = 10.0;
  StateSpace mass{Matrix::Zero(2, 2), Matrix::Zero(2, 1), Matrix::Identity(1, 2), Matrix::Zero(1, 1)};
  mass.A << 0, 1, -2.0 * k, 0;
  mass.B << 0, k;
  Matrix K(2, 2);
  K << 0, 1, 1, 0;
  const auto whole = interconnect({mass, mass}, K, Matrix(2, 0));
  ASSERT_TRUE(whole.has_value());
  const auto values = eigenvalues(whole->A);
  EXPECT_NEAR(std::abs(values[0]), std::sqrt(3.0 * k), 1e-13);
  EXPECT_NEAR(std::abs(values[3]), std::sqrt(k), 1e-13);
}

TEST(Interconnect, feed_through_loop_is_solved) {
  // y1 = 2 u1, y2 = 0.25 u2, u1 = y2 + w, u2 = y1: y1 = 2 w/(1 - 0.5) = 4 w, y2 = w.
  Matrix K(2, 2);
  K << 0, 1, 1, 0;
  Matrix E(2, 1);
  E << 1, 0;
  const auto whole = interconnect({gain(2.0), gain(0.25)}, K, E);
  ASSERT_TRUE(whole.has_value());
  EXPECT_NEAR(whole->D(0, 0), 4.0, 1e-15);
  EXPECT_NEAR(whole->D(1, 0), 1.0, 1e-15);
}

TEST(Interconnect, loop_of_gain_one_has_no_solution) {
  Matrix K(2, 2);
  K << 0, 1, 1, 0;
  EXPECT_FALSE(interconnect({gain(2.0), gain(0.5)}, K, Matrix::Zero(2, 1)).has_value());
  EXPECT_FALSE(interconnect({gain(1.0)}, Matrix::Ones(1, 1), Matrix::Zero(1, 1)).has_value());
  EXPECT_FALSE(interconnect({gain(1e7), gain(1e-7)}, K, Matrix::Zero(2, 1)).has_value());
}

TEST(Interconnect, huge_gain_outside_any_loop_is_not_taken_for_a_singular_loop) {
  Matrix K = Matrix::Zero(2, 2);
  K(1, 0) = 1.0;
  Matrix E(2, 1);
  E << 1, 0;
  const auto whole = interconnect({gain(1e9), gain(1e9)}, K, E);
  ASSERT_TRUE(whole.has_value());
  EXPECT_DOUBLE_EQ(whole->D(1, 0), 1e18);
}

TEST(Interconnect, what_no_loop_mixes_is_exactly_zero) {
  // a velocity that is integrated twice, once here and once at its partner, whose force comes back through a
  // feed-through
  const double k = 461.55015668865167, d = 1.3707417382218274, m = 1.36317448528624;
  StateSpace integrator{Matrix::Zero(1, 1), Matrix::Ones(1, 1), Matrix(1, 1), Matrix(1, 1)};
  integrator.C << -k;
  integrator.D << -d;
  StateSpace mass{Matrix(2, 2), Matrix(2, 1), Matrix(1, 2), Matrix::Zero(1, 1)};
  mass.A << 0, 1, -68.91181773567261 / m, -0.859526312967189 / m;
  mass.B << 0, 1 / m;
  mass.C << 0, 1;
  Matrix K(2, 2);
  K << 0, 1, 1, 0;
  const auto whole = interconnect({integrator, mass}, K, Matrix(2, 0));
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->A.row(0), (Matrix(1, 3) << 0, 0, 1).finished());
  EXPECT_EQ(whole->A.row(1), (Matrix(1, 3) << 0, 0, 1).finished());
}

TEST(Interconnect, no_parts_are_an_empty_system) {
  const auto whole = interconnect({}, Matrix(0, 0), Matrix(0, 2));
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(whole->states(), 0);
  EXPECT_EQ(whole->inputs(), 2);
}

}  // namespace
}  // namespace seam::lti
