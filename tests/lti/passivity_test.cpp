#include "seam/lti/passivity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lti/random_matrices.hpp"
#include "seam/base/error.hpp"
#include "seam/lti/eigenvalues.hpp"

namespace seam::lti {
namespace {

using Verdict = Passivity::Verdict;

StateSpace scalar(double a, double b, double c, double d) {
  return {Matrix{{a}}, Matrix{{b}}, Matrix{{c}}, Matrix{{d}}};
}

/// Force in, `velocity` or position out, of a mass of 1 with a spring of 1.
StateSpace mass(double damping, const Matrix& out) {
  return {Matrix{{0.0, 1.0}, {-1.0, -damping}}, Matrix{{0.0}, {1.0}}, out, Matrix{{0.0}}};
}

TEST(Passivity, of_a_damped_mass_holds_for_its_velocity_and_is_lost_for_its_position) {
  const Passivity velocity = passivity(mass(0.2, Matrix{{0.0, 1.0}}), TimeDomain::continuous);
  EXPECT_EQ(velocity.verdict, Verdict::passive);
  EXPECT_NEAR(velocity.least, 0.0, 1e-9);

  // G + G^H = 2 v/(v^2 + d^2 (1 - v)) with v = 1 - w^2 is least where v = -d
  const double d = 0.2;
  const Passivity position = passivity(mass(d, Matrix{{1.0, 0.0}}), TimeDomain::continuous);
  EXPECT_EQ(position.verdict, Verdict::lost);
  EXPECT_NEAR(position.least, -2.0 / (2.0 * d + d * d), 1e-9);
  EXPECT_NEAR(position.frequency, std::sqrt(1.0 + d), 1e-5);
}

TEST(Passivity, of_lossless_elements_holds) {
  EXPECT_EQ(passivity(scalar(0.0, 1.0, 1.0, 0.0), TimeDomain::continuous).verdict, Verdict::passive);  // a free mass
  EXPECT_EQ(passivity(mass(0.0, Matrix{{0.0, 1.0}}), TimeDomain::continuous).verdict, Verdict::passive);
  EXPECT_GT(passivity(mass(0.0, Matrix{{0.0, 1.0}}), TimeDomain::continuous).shift, 0.0);
}

TEST(Passivity, of_a_free_mass_seen_by_its_position_is_lost) {
  const StateSpace free_mass{Matrix{{0.0, 1.0}, {0.0, 0.0}}, Matrix{{0.0}, {1.0}}, Matrix{{1.0, 0.0}}, Matrix{{0.0}}};
  EXPECT_EQ(passivity(free_mass, TimeDomain::continuous).verdict, Verdict::lost);
}

TEST(Passivity, of_a_negative_lossless_element_is_lost) {
  EXPECT_EQ(passivity(scalar(0.0, 1.0, -1.0, 0.0), TimeDomain::continuous).verdict, Verdict::lost);
}

TEST(Passivity, of_an_unstable_system_is_no_question) {
  const Passivity result = passivity(scalar(0.5, 1.0, 1.0, 0.0), TimeDomain::continuous);
  EXPECT_EQ(result.verdict, Verdict::unstable);
}

// G = d - 1/(s + 1): Re G = d - 1/(1 + w^2), least at rest: 2 (d - 1).
TEST(Passivity, is_lost_by_as_little_as_the_numbers_say) {
  EXPECT_EQ(passivity(scalar(-1.0, 1.0, -1.0, 1.0 + 1e-8), TimeDomain::continuous).verdict, Verdict::passive);
  const Passivity lost = passivity(scalar(-1.0, 1.0, -1.0, 1.0 - 1e-8), TimeDomain::continuous);
  EXPECT_EQ(lost.verdict, Verdict::lost);
  EXPECT_NEAR(lost.least, -2e-8, 1e-14);
  EXPECT_NEAR(lost.frequency, 0.0, 1e-6);
}

// A mass held over steps and seen at their end is not passive: z-domain 1/(z - 1), real part -1/2 everywhere.
TEST(Passivity, of_a_mass_is_lost_by_sampling_and_kept_by_the_trapezoidal_rule) {
  const Passivity sampled = passivity(scalar(1.0, 1.0, 1.0, 0.0), TimeDomain::discrete);
  EXPECT_EQ(sampled.verdict, Verdict::lost);
  EXPECT_NEAR(sampled.least, -1.0, 1e-6);
  // (z + 1)/(2 (z - 1)) = 1/2 + 1/(z - 1)
  EXPECT_EQ(passivity(scalar(1.0, 1.0, 1.0, 0.5), TimeDomain::discrete).verdict, Verdict::passive);
}

// x' = -(S + K) x + B u, y = B^T x with S > 0 and K skew: passive whatever the numbers.
TEST(Passivity, of_random_port_hamiltonian_systems_holds_and_a_perturbed_one_agrees_with_a_grid) {
  RandomMatrices random(31);
  for (int draw = 0; draw < 20; ++draw) {
    const int n = 2 + draw % 5;
    const Matrix L = random.matrix(n, n), K = random.matrix(n, n), B = random.matrix(n, 2);
    StateSpace system{-(L * L.transpose() + 0.01 * Matrix::Identity(n, n)) + K - K.transpose(), B, B.transpose(),
                      Matrix::Zero(2, 2)};
    EXPECT_EQ(passivity(system, TimeDomain::continuous).verdict, Verdict::passive) << "draw " << draw;

    system.C += 0.3 * random.matrix(2, n);
    const FrequencyResponse response(system, TimeDomain::continuous);
    double least = std::min(0.0, smallest_real_part(response.at(0.0)));
    for (int i = 0; i <= 6000; ++i)
      least = std::min(least, smallest_real_part(response.at(std::pow(10.0, i * 1e-3 - 2.0))));
    const Passivity found = passivity(system, TimeDomain::continuous);
    EXPECT_LE(found.least, least + 1e-12) << "draw " << draw;
    EXPECT_NEAR(found.least, least, 1e-4 * std::abs(least) + 1e-9) << "draw " << draw;
  }
}

TEST(Passivity, needs_as_many_inputs_as_outputs) {
  EXPECT_THROW(passivity({Matrix(0, 0), Matrix(0, 2), Matrix(1, 0), Matrix(1, 2)}, TimeDomain::continuous),
               base::Error);
}

}  // namespace
}  // namespace seam::lti
