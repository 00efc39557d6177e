#include "seam/lti/norms.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lti/random_matrices.hpp"
#include "seam/lti/discretise.hpp"
#include "seam/lti/eigenvalues.hpp"

namespace seam::lti {
namespace {

StateSpace oscillator(double w0, double zeta) {
  return {Matrix{{0.0, 1.0}, {-w0 * w0, -2.0 * zeta * w0}}, Matrix{{0.0}, {w0 * w0}}, Matrix{{1.0, 0.0}},
          Matrix{{0.0}}};
}

TEST(HInfinityNorm, of_an_oscillator_is_its_resonance_peak) {
  for (const double zeta : {0.6, 0.1, 1e-2, 1e-4, 1e-6}) {
    const PeakGain peak = h_infinity_norm(oscillator(30.0, zeta), TimeDomain::continuous);
    const double expected = 1.0 / (2.0 * zeta * std::sqrt(1.0 - zeta * zeta));
    // the damping enters the poles as a difference beside w0: its own rounding counts
    EXPECT_NEAR(peak.norm, expected, (1e-10 + 1e-15 / zeta) * expected) << zeta;
    EXPECT_NEAR(peak.frequency, 30.0 * std::sqrt(1.0 - 2.0 * zeta * zeta), 30.0 * 1e-6) << zeta;
    EXPECT_EQ(peak.poles, PolePlace::inside);
  }
}

TEST(HInfinityNorm, of_an_overdamped_oscillator_is_its_gain_at_rest) {
  const PeakGain peak = h_infinity_norm(oscillator(30.0, 0.9), TimeDomain::continuous);
  EXPECT_NEAR(peak.norm, 1.0, 1e-10);
}

// A chain that begins behind its own output: nothing of the input arrives.
TEST(HInfinityNorm, of_what_never_answers_is_zero_whatever_its_scale) {
  for (const double scale : {1e-9, 1.0, 1e9}) {
    const StateSpace chain{Matrix{{-1.0, 0.0, 0.0}, {1.0, -2.0, 0.0}, {0.0, 1.0, -10.0}}, Matrix{{0.0}, {scale}, {0.0}},
                           Matrix{{scale, 0.0, 0.0}}, Matrix{{0.0}}};
    EXPECT_LE(h_infinity_norm(chain, TimeDomain::continuous).norm, 1e-15 * scale * scale) << scale;
    const StateSpace deaf{chain.A, Matrix::Zero(3, 1), chain.C, Matrix{{0.5}}};
    EXPECT_EQ(h_infinity_norm(deaf, TimeDomain::continuous).norm, 0.5);
  }
}

// Pade approximations of a delay: (1 - sT/2 + s^2 T^2/12)/(1 + sT/2 + s^2 T^2/12), which turns and does not shrink.
TEST(HInfinityNorm, of_an_all_pass_is_one) {
  const double T = 0.02;
  const StateSpace delay{Matrix{{0.0, 1.0}, {-12.0 / (T * T), -6.0 / T}}, Matrix{{0.0}, {1.0}},
                         Matrix{{0.0, -12.0 / T}}, Matrix{{1.0}}};
  EXPECT_NEAR(h_infinity_norm(delay, TimeDomain::continuous).norm, 1.0, 1e-12);
  const StateSpace shift{Matrix{{0.0, 1.0}, {0.0, 0.0}}, Matrix{{0.0}, {1.0}}, Matrix{{1.0, 0.0}}, Matrix{{0.0}}};
  EXPECT_NEAR(h_infinity_norm(shift, TimeDomain::discrete).norm, 1.0, 1e-12);
}

TEST(HInfinityNorm, of_a_matrix_without_states_is_its_largest_singular_value) {
  const StateSpace gain{Matrix(0, 0), Matrix(0, 2), Matrix(2, 0), Matrix{{3.0, 0.0}, {4.0, 0.0}}};
  EXPECT_NEAR(h_infinity_norm(gain, TimeDomain::continuous).norm, 5.0, 1e-14);
  EXPECT_EQ(h_infinity_norm({Matrix(0, 0), Matrix(0, 0), Matrix(0, 0), Matrix(0, 0)}, TimeDomain::discrete).norm, 0.0);
}

TEST(HInfinityNorm, says_why_it_is_infinite) {
  StateSpace undamped = oscillator(3.0, 0.0);
  const PeakGain on_axis = h_infinity_norm(undamped, TimeDomain::continuous);
  EXPECT_TRUE(std::isinf(on_axis.norm));
  EXPECT_EQ(on_axis.poles, PolePlace::on_boundary);
  EXPECT_NEAR(on_axis.frequency, 3.0, 1e-12);
  EXPECT_EQ(h_infinity_norm(oscillator(3.0, -0.1), TimeDomain::continuous).poles, PolePlace::outside);
  const StateSpace sum{Matrix{{1.0}}, Matrix{{1.0}}, Matrix{{1.0}}, Matrix{{0.0}}};
  EXPECT_EQ(h_infinity_norm(sum, TimeDomain::discrete).poles, PolePlace::on_boundary);
  const StateSpace alternating{Matrix{{-1.0}}, Matrix{{1.0}}, Matrix{{1.0}}, Matrix{{0.0}}};
  EXPECT_EQ(h_infinity_norm(alternating, TimeDomain::discrete).poles, PolePlace::on_boundary);
}

// z -> 1/(z - a): the peak is 1/(1 - |a|), at the angle of a.
TEST(HInfinityNorm, of_a_sampled_lag_is_its_gain_at_the_angle_of_its_pole) {
  for (const double a : {0.999, 0.3, -0.3, -0.999999}) {
    const PeakGain peak =
        h_infinity_norm({Matrix{{a}}, Matrix{{1.0}}, Matrix{{1.0}}, Matrix{{0.0}}}, TimeDomain::discrete);
    EXPECT_NEAR(peak.norm * (1.0 - std::abs(a)), 1.0, 1e-9) << a;
    EXPECT_NEAR(peak.frequency, a > 0 ? 0.0 : std::acos(-1.0), 1e-6) << a;
  }
}

/// Two peaks of nearly equal height, far apart: the search must not stay at the first.
TEST(HInfinityNorm, finds_the_higher_of_two_distant_peaks) {
  for (const double zeta : {1.0001e-3, 0.9999e-3}) {
    StateSpace both{Matrix::Zero(4, 4), Matrix::Zero(4, 1), Matrix::Zero(1, 4), Matrix{{0.0}}};
    const StateSpace slow = oscillator(1.0, 1e-3), fast = oscillator(1e5, zeta);
    both.A.topLeftCorner(2, 2) = slow.A;
    both.A.bottomRightCorner(2, 2) = fast.A;
    both.B << slow.B, fast.B;
    both.C << slow.C, fast.C;
    const PeakGain peak = h_infinity_norm(both, TimeDomain::continuous);
    if (zeta < 1e-3) {
      EXPECT_NEAR(peak.frequency, 1e5, 1.0);
    } else {
      EXPECT_NEAR(peak.frequency, 1.0, 1e-3);
    }
  }
}

StateSpace random_stable(RandomMatrices& random, int n, int inputs, int outputs) {
  StateSpace system{random.matrix(n, n), random.matrix(n, inputs), random.matrix(outputs, n),
                    random.matrix(outputs, inputs)};
  double rightmost = -1e300;
  for (const auto& pole : eigenvalues(system.A)) rightmost = std::max(rightmost, pole.real());
  system.A.diagonal().array() -= rightmost + 0.02;
  return system;
}

/// A dense grid, refined around its best points: slow, simple, and never too high.
double grid_norm(const StateSpace& system, TimeDomain domain) {
  const FrequencyResponse response(system, domain);
  const auto gain = [&](double w) { return largest_singular_value(response.at(w)); };
  const double end = domain == TimeDomain::continuous ? 30.0 : std::acos(-1.0);
  double best_w = 0.0, best = gain(0.0), width = end / 4000.0;
  for (int i = 1; i <= 4000; ++i) {
    if (gain(i * width) > best) best = gain(best_w = i * width);
  }
  for (int round = 0; round < 12; ++round, width /= 5.0) {
    const double centre = best_w;
    for (int i = -5; i <= 5; ++i) {
      const double w = std::abs(centre + i * width / 5.0);
      if (gain(w) > best) best = gain(best_w = w);
    }
  }
  return best;
}

TEST(HInfinityNorm, of_random_systems_is_what_a_refined_grid_finds) {
  RandomMatrices random(21);
  for (int draw = 0; draw < 30; ++draw) {
    const StateSpace system = random_stable(random, 1 + draw % 9, 1 + draw % 3, 1 + draw % 2);
    const double by_grid = grid_norm(system, TimeDomain::continuous);
    const double d_alone = largest_singular_value(system.D.cast<Complex>());
    EXPECT_NEAR(h_infinity_norm(system, TimeDomain::continuous).norm, std::max(by_grid, d_alone), 1e-9 * by_grid)
        << "draw " << draw;
  }
}

TEST(HInfinityNorm, of_random_sampled_systems_is_what_a_refined_grid_finds) {
  RandomMatrices random(22);
  for (int draw = 0; draw < 30; ++draw) {
    StateSpace system = random_stable(random, 1 + draw % 7, 1 + draw % 3, 1 + draw % 2);
    const PolynomialStep step = discretise(system, 0.3, 0);
    system.A = step.Ad;
    system.B = step.G[0];
    const double by_grid = grid_norm(system, TimeDomain::discrete);
    EXPECT_NEAR(h_infinity_norm(system, TimeDomain::discrete).norm, by_grid, 1e-9 * by_grid) << "draw " << draw;
  }
}

TEST(HInfinityNorm, of_the_loop_of_the_coupled_masses_is_the_published_one) {
  // Two masses of 0.1 kg, k = 10 and d = 0.1 to the ground and between them: the force of the coupling spring in answer
  // to the motion of the other mass, after the motion of that mass in answer to the force.
  const double m = 0.1, k = 10.0, d = 0.1;
  StateSpace loop{Matrix::Zero(4, 4), Matrix::Zero(4, 1), Matrix::Zero(1, 4), Matrix{{0.0}}};
  // mass 2: x2, v2 under the force; spring owner: x1, v1 with input (x2, v2), force = k (x1 - x2) + d (v1 - v2)
  loop.A << 0, 1, 0, 0, -k / m, -d / m, 0, 0, 0, 0, 0, 1, k / m, d / m, -2 * k / m, -2 * d / m;
  loop.B << 0, 1 / m, 0, 0;
  loop.C << -k, -d, k, d;
  const PeakGain peak = h_infinity_norm(loop, TimeDomain::continuous);
  EXPECT_NEAR(peak.norm, 3.579327074, 1e-9);
  EXPECT_NEAR(peak.frequency, 14.072634, 1e-6);
}

}  // namespace
}  // namespace seam::lti
