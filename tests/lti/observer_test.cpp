#include "seam/lti/observer.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "lti/random_matrices.hpp"
#include "seam/lti/discretise.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "seam/lti/exponential.hpp"

namespace seam::lti {
namespace {

StateSpace oscillator(double frequency) {
  StateSpace system{Matrix::Zero(2, 2), Matrix::Zero(2, 1), Matrix::Zero(1, 2), Matrix::Zero(1, 1)};
  system.A << 0, 1, -frequency * frequency, 0;
  system.B << 0, 1;
  system.C << 1, 0;
  return system;
}

// x(t) = cos wt or sin wt / w, over whole periods.
TEST(OutputMetric, is_the_mean_square_of_the_outputs_in_parts_of_their_size) {
  const double w = 3.0;
  const Matrix W = output_metric(oscillator(w), Vector::Constant(1, 0.1), 4.0 * std::numbers::pi / w);
  const Matrix gramian = W.transpose() * W;
  EXPECT_NEAR(gramian(0, 0), 50.0, 1e-9);
  EXPECT_NEAR(gramian(1, 1), 50.0 / (w * w), 1e-9);
  EXPECT_NEAR(gramian(0, 1), 0.0, 1e-9);
}

ObservedSystem observed(const StateSpace& system) {
  return {system, Vector::Ones(system.inputs()), Vector::Ones(system.outputs()), 0.3};
}

TEST(Observer, its_error_decays_faster_than_that_of_a_model_that_is_followed_alone) {
  RandomMatrices random(8);
  for (int i = 0; i < 20; ++i) {
    const Eigen::Index n = 1 + i % 4;
    const StateSpace system{random.matrix(n, n), random.matrix(n, 2), random.matrix(2, n), random.matrix(2, 2)};
    const auto observer = make_observer(observed(system));
    ASSERT_TRUE(observer);
    const Matrix A = exponential(0.3 * system.A);
    const double radius = spectral_radius(A - observer->gain * system.C * A);
    EXPECT_LT(radius, std::min(1.0, spectral_radius(A))) << i;
  }
}

// Neither coordinates of the states nor units of the ports matter.
TEST(Observer, is_the_same_in_other_coordinates_and_units) {
  RandomMatrices random(9);
  for (int i = 0; i < 20; ++i) {
    const Eigen::Index n = 1 + i % 4;
    const StateSpace system{random.matrix(n, n), random.matrix(n, 2), random.matrix(2, n), random.matrix(2, 2)};
    const auto first = make_observer(observed(system));
    const Matrix T = random.matrix(n, n) + 3.0 * Matrix::Identity(n, n);
    const Vector u{{1e-3, 50.0}}, y{{1e4, 0.1}};  // new units in old ones
    const Matrix to_y = y.cwiseInverse().asDiagonal();
    ObservedSystem other{{T * system.A * T.inverse(), T * system.B * u.asDiagonal(), to_y * system.C * T.inverse(),
                          to_y * system.D * u.asDiagonal()},
                         u.cwiseInverse(),
                         y.cwiseInverse(),
                         0.3};
    const auto second = make_observer(other);
    ASSERT_TRUE(first && second);
    const Matrix gain = T * first->gain * y.asDiagonal(), drive = T * first->drive * y.asDiagonal();
    EXPECT_LT((second->gain - gain).norm(), 1e-6 * gain.norm()) << i;
    EXPECT_LT((second->drive - drive).norm(), 1e-6 * drive.norm()) << i;
  }
}

TEST(Observer, a_constant_rate_makes_the_change_of_the_states_that_it_explains) {
  const StateSpace system = oscillator(2.0);
  const auto observer = make_observer({system, Vector::Ones(1), Vector::Ones(1), 0.3});
  ASSERT_TRUE(observer);
  const Matrix effect = discretise({system.A, Matrix::Identity(2, 2), {}, {}}, 0.3, 0).G[0];
  EXPECT_LT((effect * observer->drive - observer->gain).norm(), 1e-12 * observer->gain.norm());
}

// A rate that goes on for a whole period changes nothing at its end.
TEST(Observer, a_rate_stays_bounded_where_a_period_divides_the_step) {
  const double step = 0.3;
  const auto observer =
      make_observer({oscillator(2.0 * std::numbers::pi / step * (1.0 + 1e-9)), Vector::Ones(1), Vector::Ones(1), step});
  ASSERT_TRUE(observer);
  EXPECT_LT(observer->gain.norm(), 1e3);
  EXPECT_LT(observer->drive.norm(), 1e3 / step);
}

TEST(Observer, there_is_nothing_to_observe_without_states_or_outputs) {
  const auto gain = make_observer(observed({Matrix(0, 0), Matrix(0, 2), Matrix(1, 0), Matrix::Ones(1, 2)}));
  ASSERT_TRUE(gain);
  EXPECT_EQ(gain->gain.rows(), 0);
  EXPECT_EQ(gain->gain.cols(), 1);
}

TEST(GainsOfStep, are_the_answers_to_held_inputs_and_0_where_only_rounding_is_left) {
  StateSpace system = oscillator(2.0);
  system.C = Matrix::Identity(2, 2);
  system.D = Matrix::Zero(2, 1);
  const Matrix gains = gains_of_step(system, 1, 0.3);
  EXPECT_NEAR(gains(0, 0), (1.0 - std::cos(0.6)) / 4.0, 1e-14);
  EXPECT_NEAR(gains(1, 0), std::sin(0.6) / 2.0, 1e-14);
  StateSpace apart{Matrix::Zero(2, 2), Matrix::Identity(2, 2), Matrix::Identity(2, 2), Matrix::Zero(2, 2)};
  apart.A << -1, 0, 0, -2;
  EXPECT_EQ(gains_of_step(apart, 2, 0.3)(0, 1), 0.0);
}

TEST(NaturalSizes, make_the_two_gains_of_a_loop_alike) {
  Matrix gains = Matrix::Zero(3, 3);
  gains(0, 1) = 1e-6;
  gains(1, 0) = 4e2;
  const Vector sizes = natural_log_sizes(gains).array().exp();
  EXPECT_NEAR(gains(0, 1) * sizes(1) / sizes(0), gains(1, 0) * sizes(0) / sizes(1), 1e-12);
  EXPECT_NEAR(sizes(2), 1.0, 1e-12) << "nothing is connected to it";
}

TEST(NaturalSizes, follow_a_chain_and_the_units) {
  Matrix gains = Matrix::Zero(3, 3);
  gains(1, 0) = 5.0;
  gains(2, 1) = -0.01;
  const Vector sizes = natural_log_sizes(gains).array().exp();
  EXPECT_NEAR(sizes(1) / sizes(0), 5.0, 1e-12);
  EXPECT_NEAR(sizes(2) / sizes(1), 0.01, 1e-14);
  const Vector units{{1e3, 1e-2, 7.0}};
  const Matrix converted = units.cwiseInverse().asDiagonal() * gains * units.asDiagonal();
  const Vector other = natural_log_sizes(converted).array().exp();
  EXPECT_NEAR(other(1) / other(0) * units(1) / units(0), 5.0, 1e-11);
}

}  // namespace
}  // namespace seam::lti
