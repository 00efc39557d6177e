#include "seam/lti/frequency_response.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lti/random_matrices.hpp"

namespace seam::lti {
namespace {

StateSpace oscillator(double zeta) {
  return {Matrix{{0.0, 1.0}, {-1.0, -2.0 * zeta}}, Matrix{{0.0}, {1.0}}, Matrix{{1.0, 0.0}}, Matrix{{0.0}}};
}

TEST(FrequencyResponse, of_an_oscillator_is_its_transfer_function) {
  const FrequencyResponse response(oscillator(0.1), TimeDomain::continuous);
  for (const double w : {0.0, 0.3, 1.0, 7.0, 1e4}) {
    const Complex expected = 1.0 / (Complex(1.0 - w * w, 0.2 * w));
    EXPECT_LT(std::abs(response.at(w)(0, 0) - expected), 1e-14 * std::abs(expected)) << w;
  }
  EXPECT_EQ(response.at(std::numeric_limits<double>::infinity())(0, 0), Complex{});
}

TEST(FrequencyResponse, of_a_sampled_delay_turns_and_does_not_shrink) {
  const StateSpace delay{Matrix{{0.0}}, Matrix{{1.0}}, Matrix{{1.0}}, Matrix{{0.0}}};
  const FrequencyResponse response(delay, TimeDomain::discrete);
  EXPECT_LT(std::abs(response.at(0.7)(0, 0) - std::polar(1.0, -0.7)), 1e-15);
}

// (p I - A) X = B by a dense solve with the residual as the oracle: C X + D = G  <=>  G - D = C X.
TEST(FrequencyResponse, of_random_systems_satisfies_the_equations) {
  RandomMatrices random(11);
  for (const int n : {1, 2, 3, 8, 15}) {
    const StateSpace system{random.matrix(n, n), random.matrix(n, 2), Matrix::Identity(n, n), Matrix::Zero(n, 2)};
    const FrequencyResponse response(system, TimeDomain::continuous);
    const ComplexMatrix X = response.at(0.83);
    const ComplexMatrix residual = Complex(0.0, 0.83) * X - system.A.cast<Complex>() * X - system.B.cast<Complex>();
    EXPECT_LT(residual.norm(), 1e-12 * X.norm()) << n;
  }
}

TEST(FrequencyResponse, units_of_the_states_do_not_cost_digits) {
  StateSpace system = oscillator(0.01);
  system.A = Matrix{{0.0, 1.0}, {-1e14, -2e5}};
  const FrequencyResponse response(system, TimeDomain::continuous);
  const double w = 1e7;
  const Complex expected = 1.0 / Complex(1e14 - w * w, 2e5 * w);
  EXPECT_LT(std::abs(response.at(w)(0, 0) - expected), 1e-12 * std::abs(expected));
}

TEST(FrequencyResponse, at_a_pole_is_huge_and_not_undefined) {
  const StateSpace integrator{Matrix{{0.0}}, Matrix{{1.0}}, Matrix{{1.0}}, Matrix{{0.0}}};
  EXPECT_GT(largest_singular_value(FrequencyResponse(integrator, TimeDomain::continuous).at(0.0)), 1e200);
}

TEST(WorstPole, is_told_apart_from_the_axis_by_its_damping) {
  EXPECT_EQ(worst_pole(oscillator(1e-9).A, TimeDomain::continuous).place, PolePlace::inside);
  EXPECT_EQ(worst_pole(oscillator(0.0).A, TimeDomain::continuous).place, PolePlace::on_boundary);
  EXPECT_NEAR(worst_pole(oscillator(0.0).A, TimeDomain::continuous).frequency, 1.0, 1e-14);
  EXPECT_EQ(worst_pole(oscillator(-1e-9).A, TimeDomain::continuous).place, PolePlace::outside);
}

TEST(WorstPole, of_a_free_mass_lies_on_the_boundary_in_any_basis) {
  RandomMatrices random(5);
  const Matrix T = random.matrix(2, 2);
  const Matrix inverse = Matrix{{T(1, 1), -T(0, 1)}, {-T(1, 0), T(0, 0)}} / (T(0, 0) * T(1, 1) - T(0, 1) * T(1, 0));
  const Matrix A = T * Matrix{{0.0, 1.0}, {0.0, 0.0}} * inverse;
  EXPECT_EQ(worst_pole(A, TimeDomain::continuous).place, PolePlace::on_boundary);
  EXPECT_EQ(worst_pole(Matrix::Identity(2, 2) + 0.01 * A, TimeDomain::discrete).place, PolePlace::on_boundary);
}

}  // namespace
}  // namespace seam::lti
