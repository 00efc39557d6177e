#include "seam/analysis/moving_modes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "seam/analysis/stable_steps.hpp"

namespace seam::analysis {
namespace {

/// Two modes with frequencies w1 and w2 and this damping, that a coupling of this strength drives into each other where
/// their phases meet: log z = m +- sqrt(x^2 + strength^2) with x = i (w1 - w2) h/2 up to multiples of pi i. The other
/// two eigenvalues are their mirror images.
struct TwoModes {
  double w1 = 7.0, w2 = 3.0, damping = 0.02, strength = 0.0;

  /// Where the phases differ by 2 pi.
  double meeting() const { return 2.0 * std::numbers::pi / (w1 - w2); }
  StepModes operator()(double h) const {
    const double x = 0.5 * (w1 - w2) * h;
    const Complex m{-damping, 0.5 * (w1 + w2) * h};
    const double detuning = x - std::numbers::pi * std::round(x / std::numbers::pi);
    const double turns = x - detuning;
    const Complex split = std::sqrt(Complex{strength * strength - detuning * detuning, 0.0});
    std::vector<Complex> all;
    for (const double sign : {1.0, -1.0}) {
      all.push_back(std::exp(m + sign * (split + Complex{0.0, turns})));
      all.push_back(std::conj(all.back()));
    }
    std::sort(all.begin(), all.end(), [](const Complex& a, const Complex& b) { return std::abs(a) > std::abs(b); });
    const double radius = std::abs(all.front());
    return {radius, std::move(all)};
  }
  MovingModes at(double h) const { return *moving_modes(h, (*this)(h), 1e-6 * h, (*this)((1.0 + 1e-6) * h)); }
};

TEST(MovingModes, rates_are_the_derivatives_of_the_logarithms) {
  const TwoModes modes;
  const MovingModes found = modes.at(0.4);
  ASSERT_EQ(found.modes.size(), 4u);
  for (const MovingMode& mode : found.modes) {
    EXPECT_NEAR(mode.rate.real(), 0.0, 1e-6);
    EXPECT_NEAR(mode.rate.imag(), mode.log.imag() / 0.4, 1e-6);
  }
}

TEST(MovingModes, peak_where_two_meet_is_forecast_from_far_away) {
  TwoModes modes;
  const double meeting = modes.meeting();
  for (const double strength : {0.021, 0.03, 0.05}) {
    modes.strength = strength;
    for (const double middle : {-0.3, 0.0, 0.3}) {  // of the stretch, in halves of it
      const double from = meeting + 0.07 * (middle - 1.0), to = meeting + 0.07 * (middle + 1.0);
      const PeakForecast forecast = peaks_between(modes.at(from), modes.at(to));
      EXPECT_EQ(forecast.parts, 1);
      ASSERT_EQ(forecast.steps.size(), 1u) << strength << " " << middle;
      EXPECT_NEAR(forecast.steps[0], meeting, 0.001) << strength << " " << middle;
    }
  }
}

TEST(MovingModes, no_peak_is_forecast_where_the_coupling_is_weaker_than_the_damping) {
  TwoModes modes;
  for (const double strength : {0.0, 0.01, 0.018}) {
    modes.strength = strength;
    const double meeting = modes.meeting();
    const PeakForecast forecast = peaks_between(modes.at(meeting - 0.08), modes.at(meeting + 0.05));
    EXPECT_EQ(forecast.parts, 1);
    EXPECT_TRUE(forecast.steps.empty()) << strength;
  }
}

TEST(MovingModes, a_stretch_in_which_phases_move_too_far_is_to_be_divided) {
  const TwoModes modes;
  EXPECT_EQ(peaks_between(modes.at(0.1), modes.at(0.5)).parts, 3);  // 2 w1 0.4 = 5.6 rad, at most 2 a part
}

/// One mode that meets its mirror image at -1: x = w h - pi.
StepModes at_half_the_frequency(double h) {
  constexpr double w = 4.0, damping = 0.01, strength = 0.012;
  const double detuning = w * h - std::numbers::pi;
  const Complex split = std::sqrt(Complex{strength * strength - detuning * detuning, 0.0});
  std::vector<Complex> all;
  for (const double sign : {1.0, -1.0}) all.push_back(-std::exp(-damping + sign * split));
  if (std::abs(all[0]) < std::abs(all[1])) std::swap(all[0], all[1]);
  const double radius = std::abs(all.front());
  return {radius, std::move(all)};
}

TEST(StableSteps, gap_of_a_third_of_a_per_cent_is_found_where_modes_are_followed) {
  const double middle = std::numbers::pi / 4.0, half = std::sqrt(0.012 * 0.012 - 0.01 * 0.01) / 4.0;
  const StableSteps scanned = stable_steps(at_half_the_frequency, {0.01, 2.0});
  EXPECT_EQ(scanned.intervals.size(), 1u);  // 10 to 40 steps a decade do not see it
  EXPECT_FALSE(scanned.searched_to);
  const StableSteps found = stable_steps(at_half_the_frequency, {0.01, 2.0, {}, 40, 1e-11, 200});
  ASSERT_EQ(found.intervals.size(), 2u);
  EXPECT_NEAR(found.intervals[0].to, middle - half, 1e-10);
  EXPECT_NEAR(found.intervals[1].from, middle + half, 1e-10);
  EXPECT_EQ(*found.first_loss(), found.intervals[0].to);
  EXPECT_EQ(found.searched_to, found.examined.to);
}

TEST(StableSteps, search_for_gaps_ends_where_the_looks_end_and_says_so) {
  TwoModes modes;
  modes.strength = 0.0195;
  int asked = 0;
  const auto counted = [&](double h) {
    ++asked;
    return modes(h);
  };
  const StableSteps scanned = stable_steps(counted, {0.05, 50.0});
  const int scan = asked;
  const StableSteps some = stable_steps(counted, {0.05, 50.0, {}, 40, 1e-11, 60});
  EXPECT_LE(asked - 2 * scan, 60 + 1);
  ASSERT_TRUE(some.searched_to);
  EXPECT_GT(*some.searched_to, some.examined.from);
  EXPECT_LT(*some.searched_to, some.examined.to);
  const StableSteps more = stable_steps(counted, {0.05, 50.0, {}, 40, 1e-11, 200});
  EXPECT_GT(*more.searched_to, *some.searched_to);
  EXPECT_EQ(scanned.intervals.size(), 1u);
}

TEST(StableSteps, where_every_multiple_was_tried_nothing_is_left_to_search) {
  const StableSteps found = stable_steps([](double) { return 0.5; }, {0.005, 0.05, 0.005});
  EXPECT_EQ(found.searched_to, found.examined.to);
}

}  // namespace
}  // namespace seam::analysis
