#include "seam/lti/paired_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lti/random_matrices.hpp"
#include "seam/lti/discretise.hpp"
#include "seam/lti/eigenvalues.hpp"

namespace seam::lti {
namespace {

/// What a fit of (input held over a step, output at its end) gives of a system: exactly.
StateSpace pairs_of(const StateSpace& system, double h) {
  const PolynomialStep step = discretise(system, h, 0);
  return {step.Ad, step.G[0], system.C * step.Ad, system.C * step.G[0] + system.D};
}

/// Poles of modulus at most `fastest`.
StateSpace random_system(RandomMatrices& random, double fastest) {
  StateSpace system{random.matrix(3, 3), random.matrix(3, 2), random.matrix(2, 3), random.matrix(2, 2)};
  system.A *= fastest / spectral_radius(system.A);
  return system;
}

TEST(StepGains, of_pairs_in_micro_steps_are_those_of_the_macro_step) {
  RandomMatrices random(61);
  for (int draw = 0; draw < 20; ++draw) {
    const StateSpace system = random_system(random, 0.5);
    const double H = 1.0;
    const PolynomialStep exact = discretise(system, H, 1);
    for (const int r : {1, 2, 3, 5, 10}) {
      PairedModel model({3, 2, 2});
      model.take(pairs_of(system, H / r));
      StepGains gains({3, 2, 2});
      ASSERT_TRUE(gains.derive(model, r));
      EXPECT_LT((gains.K() - (system.C * exact.G[0] + system.D)).norm(), 1e-12);
      EXPECT_LT((gains.D() - system.D).norm(), 1e-11);
      EXPECT_LT((gains.C() - system.C).norm(), 1e-11);
      EXPECT_LT((gains.Ad() - exact.Ad).norm(), 1e-12);
      EXPECT_LT((gains.G0() - exact.G[0]).norm(), 1e-12);
      EXPECT_LT((gains.G1() - exact.G[1]).norm(), 1e-4) << "r = " << r;
      EXPECT_LT((gains.ramp_K() - (system.C * exact.G[1] + system.D)).norm(), 1e-4);
    }
  }
}

TEST(StepGains, of_ramps_are_wrong_by_the_fifth_power_of_the_sample) {
  RandomMatrices random(62);
  const StateSpace system = random_system(random, 0.4);
  double before = 0.0;
  for (const double h : {2.0, 1.0, 0.5}) {
    PairedModel model({3, 2, 2});
    model.take(pairs_of(system, h));
    StepGains gains({3, 2, 2});
    ASSERT_TRUE(gains.derive(model, 1));
    const Matrix exact = discretise(system, h, 1).G[1];
    const double wrong = (gains.G1() - exact).norm() / exact.norm();
    if (before > 0.0) {
      EXPECT_NEAR(std::log2(before / wrong), 5.0, 0.6) << h;
    }
    before = wrong;
  }
}

TEST(StepGains, know_by_what_a_state_grows) {
  RandomMatrices random(64);
  for (int draw = 0; draw < 30; ++draw) {
    const Matrix A = 1.5 * random.matrix(3, 3);
    PairedModel model({3, 1, 1});
    model.take(StateSpace{A, Matrix::Zero(3, 1), Matrix::Zero(1, 3), Matrix::Zero(1, 1)});
    StepGains gains({3, 1, 1});
    ASSERT_TRUE(gains.derive(model, 4));
    const double exact = std::pow(spectral_radius(A), 4);
    EXPECT_NEAR(gains.growth(), exact, 2e-4 * exact);
  }
}

TEST(StepGains, counting_the_response_on_top_of_a_fitted_D_is_one_step_too_many) {
  RandomMatrices random(63);
  const StateSpace system = random_system(random, 0.5);
  const PolynomialStep exact = discretise(system, 1.0, 0);
  const Matrix K = system.C * exact.G[0] + system.D;
  const StateSpace fitted = pairs_of(system, 1.0);
  const Matrix naive = fitted.C * fitted.B + fitted.D;
  EXPECT_LT((fitted.D - K).norm(), 1e-14 * K.norm());
  EXPECT_LT((naive - (K + system.C * exact.Ad * exact.G[0])).norm(), 1e-14 * naive.norm());
  EXPECT_GT((naive - K).norm(), 0.1 * K.norm());
}

TEST(StepGains, of_a_delay_have_no_feed_through) {
  PairedModel model({1, 1, 1});
  model.take(StateSpace{Matrix{{0.0}}, Matrix{{1.0}}, Matrix{{1.0}}, Matrix{{0.0}}});  // y(i) = u(i - 1)
  StepGains gains({1, 1, 1});
  ASSERT_TRUE(gains.derive(model, 1));
  EXPECT_EQ(gains.D()(0, 0), 0.0);
  EXPECT_EQ(gains.K()(0, 0), 0.0);
  ASSERT_TRUE(gains.derive(model, 3));
  EXPECT_EQ(gains.K()(0, 0), 1.0);
}

TEST(StepGains, of_a_gain_are_the_gain) {
  PairedModel model({2, 1, 1});
  model.take(StateSpace{Matrix(0, 0), Matrix(0, 1), Matrix(1, 0), Matrix{{4.0}}});
  StepGains gains({2, 1, 1});
  ASSERT_TRUE(gains.derive(model, 5));
  EXPECT_EQ(gains.K()(0, 0), 4.0);
  EXPECT_EQ(gains.ramp_K()(0, 0), 4.0);
  EXPECT_EQ(gains.D()(0, 0), 4.0);
}

TEST(StepGains, that_are_not_finite_are_refused) {
  PairedModel model({1, 1, 1});
  StepGains gains({1, 1, 1});
  model.take(
      StateSpace{Matrix{{std::numeric_limits<double>::quiet_NaN()}}, Matrix{{1.0}}, Matrix{{1.0}}, Matrix{{0.0}}});
  EXPECT_FALSE(gains.derive(model, 2));
  model.take(StateSpace{Matrix{{1e200}}, Matrix{{1.0}}, Matrix{{1.0}}, Matrix{{0.0}}});
  EXPECT_FALSE(gains.derive(model, 4));
}

}  // namespace
}  // namespace seam::lti
