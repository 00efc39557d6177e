#include "seam/study/distribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"

namespace seam::study {
namespace {

using Kind = Distribution::Kind;

constexpr int many = 40'000;

std::vector<double> sorted_draws(const Distribution& distribution) {
  std::vector<double> draws;
  for (int i = 0; i < many; ++i) draws.push_back(draw_number(distribution, {7, static_cast<std::uint64_t>(i), "m"}));
  std::sort(draws.begin(), draws.end());
  return draws;
}

double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// The share of draws below `value` is `share`, within five standard deviations of a count.
void expect_share_below(const std::vector<double>& sorted, double value, double share) {
  const auto below = std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
  const double sigma = std::sqrt(share * (1.0 - share) / many);
  EXPECT_NEAR(static_cast<double>(below) / many, share, 5.0 * sigma) << value;
}

TEST(Distribution, a_uniform_one_has_its_mean_and_quantiles) {
  const auto draws = sorted_draws({Kind::uniform, 2.0, 6.0});
  EXPECT_NEAR(mean(draws), 4.0, 5.0 * (4.0 / std::sqrt(12.0)) / std::sqrt(many));
  for (const double share : {0.1, 0.25, 0.5, 0.9}) expect_share_below(draws, 2.0 + 4.0 * share, share);
  EXPECT_GT(draws.front(), 2.0);
  EXPECT_LT(draws.back(), 6.0);
}

TEST(Distribution, a_log_uniform_one_has_its_mean_and_quantiles) {
  const auto draws = sorted_draws({Kind::log_uniform, 0.1, 10.0});
  const double expected = (10.0 - 0.1) / std::log(100.0);
  EXPECT_NEAR(mean(draws), expected, 0.1);
  for (const double share : {0.25, 0.5, 0.75}) expect_share_below(draws, 0.1 * std::pow(100.0, share), share);
}

TEST(Distribution, a_normal_one_has_its_mean_and_quantiles) {
  const auto draws = sorted_draws({Kind::normal, -3.0, 2.0});
  EXPECT_NEAR(mean(draws), -3.0, 5.0 * 2.0 / std::sqrt(many));
  expect_share_below(draws, -3.0, 0.5);
  for (const double z : {-2.0, -1.0, 0.5, 1.0, 2.0})
    expect_share_below(draws, -3.0 + 2.0 * z, 0.5 * std::erfc(-z / std::sqrt(2.0)));
}

TEST(Distribution, a_log_normal_one_has_its_median_and_quantiles) {
  const auto draws = sorted_draws({Kind::log_normal, 5.0, 0.4});
  expect_share_below(draws, 5.0, 0.5);
  for (const double z : {-1.0, 1.0})
    expect_share_below(draws, 5.0 * std::exp(0.4 * z), 0.5 * std::erfc(-z / std::sqrt(2.0)));
}

TEST(Distribution, limits_are_kept_and_the_shape_between_them_stays) {
  Distribution distribution{Kind::normal, 0.0, 1.0};
  distribution.within = {0.0, 1.0};
  const auto draws = sorted_draws(distribution);
  EXPECT_GE(draws.front(), 0.0);
  EXPECT_LE(draws.back(), 1.0);
  const double inside = std::erf(1.0 / std::sqrt(2.0)), half = std::erf(0.5 / std::sqrt(2.0));
  expect_share_below(draws, 0.5, half / inside);
}

TEST(Distribution, limits_that_are_never_met_are_an_error) {
  Distribution distribution{Kind::uniform, 0.0, 1.0};
  distribution.within = {2.0, 3.0};
  EXPECT_THROW(draw_number(distribution, {1, 0, "m"}), base::Error);
}

TEST(Distribution, every_choice_is_as_likely) {
  Distribution distribution;
  distribution.kind = Kind::choice;
  for (const char* const text : {"a", "b", "c"}) distribution.choices.emplace_back().text = text;
  int found = 0;
  for (int i = 0; i < many; ++i)
    found += draw(distribution, {1, static_cast<std::uint64_t>(i), "x"}).text == "b" ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(found) / many, 1.0 / 3.0, 5.0 * std::sqrt(2.0 / 9.0 / many));
}

TEST(Distribution, a_draw_follows_from_seed_sample_and_name_alone) {
  const Distribution distribution{Kind::normal, 0.0, 1.0};
  const double first = draw_number(distribution, {1, 2, "m"});
  draw_number(distribution, {5, 6, "k"});
  EXPECT_EQ(draw_number(distribution, {1, 2, "m"}), first);
  EXPECT_NE(draw_number(distribution, {2, 2, "m"}), first);
  EXPECT_NE(draw_number(distribution, {1, 3, "m"}), first);
  EXPECT_NE(draw_number(distribution, {1, 2, "k"}), first);
}

TEST(Distribution, draws_of_two_names_are_not_correlated) {
  const Distribution distribution{Kind::uniform, -0.5, 0.5};
  double product = 0.0;
  for (int i = 0; i < many; ++i) {
    const auto sample = static_cast<std::uint64_t>(i);
    product += draw_number(distribution, {3, sample, "m1"}) * draw_number(distribution, {3, sample, "m2"});
  }
  EXPECT_NEAR(12.0 * product / many, 0.0, 5.0 / std::sqrt(many));
}

TEST(Distribution, a_unit_is_written_behind_the_number) {
  Distribution distribution{Kind::uniform, 1.0, 1.0};
  distribution.unit = "kg";
  EXPECT_EQ(draw(distribution, {1, 0, "m"}).text, "1 kg");
  EXPECT_EQ(draw(distribution, {1, 0, "m"}).number, 1.0);
  EXPECT_EQ(draw(distribution, {1, 0, "m"}).unit, "kg");
}

TEST(Distribution, the_number_at_a_share_is_the_inverse_of_its_distribution) {
  const auto at = [](Distribution::Kind kind, double share) { return number_at({kind, 2.0, 8.0}, share); };
  EXPECT_EQ(at(Distribution::Kind::uniform, 0.25), 3.5);
  EXPECT_NEAR(at(Distribution::Kind::log_uniform, 0.5), 4.0, 1e-14);
  EXPECT_NEAR(at(Distribution::Kind::normal, 0.975), 2.0 + 8.0 * 1.959963984540054, 1e-12);
  EXPECT_NEAR(at(Distribution::Kind::normal, 0.025), 2.0 - 8.0 * 1.959963984540054, 1e-12);
  EXPECT_NEAR(at(Distribution::Kind::log_normal, 0.5), 2.0, 1e-15);
  const Distribution standard{Distribution::Kind::normal, 0.0, 1.0};
  for (const double share : {1e-300, 1e-16, 1e-3, 0.3, 0.5, 0.9, 1.0 - 1e-10}) {
    const double x = number_at(standard, share);
    EXPECT_NEAR(0.5 * std::erfc(-x / std::sqrt(2.0)) / share, 1.0, 1e-12) << share;
  }
}

TEST(Distribution, limits_leave_the_part_of_the_distribution_between_them) {
  Distribution half{Distribution::Kind::normal, 0.0, 1.0};
  half.within = {0.0, 100.0};
  EXPECT_NEAR(number_at(half, 0.5), 0.6744897501960817, 1e-14);  // the quartile of the whole
  half.within = {50.0, 100.0};
  EXPECT_THROW(number_at(half, 0.5), base::Error);
  Distribution range{Distribution::Kind::log_uniform, 1.0, 16.0};
  range.within = {4.0, 64.0};
  EXPECT_NEAR(number_at(range, 0.5), 8.0, 1e-13);
  Distribution choice{Distribution::Kind::choice};
  choice.choices.resize(2);
  choice.choices[1].text = "second";
  EXPECT_EQ(value_at(choice, 0.49).text, "");
  EXPECT_EQ(value_at(choice, 0.51).text, "second");
}

}  // namespace
}  // namespace seam::study
