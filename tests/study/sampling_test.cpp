#include "seam/study/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "seam/study/points.hpp"
#include "study/study_folder.hpp"

namespace seam::study {
namespace {

DrawKey key_of(std::uint64_t sample, const std::string& name = "k", std::uint64_t seed = 7) {
  return {seed, sample, name};
}

TEST(Sampling, a_latin_hypercube_has_one_number_in_every_interval) {
  for (const std::uint64_t samples : {1, 2, 3, 5, 16, 17, 1000}) {
    std::set<std::uint64_t> intervals;
    for (std::uint64_t i = 0; i < samples; ++i) {
      const double number = latin_hypercube_number(key_of(i), samples);
      EXPECT_GT(number, 0.0);
      EXPECT_LT(number, 1.0);
      intervals.insert(static_cast<std::uint64_t>(number * static_cast<double>(samples)));
    }
    EXPECT_EQ(intervals.size(), samples);
  }
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - 0.5) * (b[i] - 0.5);
  return 12.0 * sum / static_cast<double>(a.size());
}

TEST(Sampling, intervals_of_different_names_and_seeds_are_in_different_orders) {
  constexpr std::uint64_t samples = 4096;
  std::vector<double> one, name, seed, place;
  for (std::uint64_t i = 0; i < samples; ++i) {
    one.push_back(latin_hypercube_number(key_of(i), samples));
    name.push_back(latin_hypercube_number(key_of(i, "m"), samples));
    seed.push_back(latin_hypercube_number(key_of(i, "k", 8), samples));
    place.push_back((static_cast<double>(i) + 0.5) / samples);
  }
  const double limit = 4.0 / std::sqrt(samples);
  EXPECT_LT(std::abs(correlation(one, name)), limit);
  EXPECT_LT(std::abs(correlation(one, seed)), limit);
  EXPECT_LT(std::abs(correlation(one, place)), limit);
}

TEST(Sampling, the_first_points_of_the_sobol_sequence_are_those_of_the_literature) {
  // Joe and Kuo 2008, in Gray code order: dimensions 1 to 4
  const double expected[][4] = {{0.0, 0.0, 0.0, 0.0},     {0.5, 0.5, 0.5, 0.5},         {0.75, 0.25, 0.25, 0.25},
                                {0.25, 0.75, 0.75, 0.75}, {0.375, 0.375, 0.625, 0.875}, {0.875, 0.875, 0.125, 0.375}};
  for (std::uint64_t i = 0; i < std::size(expected); ++i) {
    for (std::size_t d = 0; d < 4; ++d) EXPECT_EQ(sobol_bits(i, d) * 0x1p-32, expected[i][d]) << i << " " << d;
  }
}

TEST(Sampling, every_dimension_of_the_sobol_sequence_fills_all_intervals_shifted_or_not) {
  constexpr std::uint64_t samples = 256;
  for (std::size_t d = 0; d < sobol_dimensions; ++d) {
    std::set<std::uint32_t> plain, shifted;
    for (std::uint64_t i = 0; i < samples; ++i) {
      plain.insert(sobol_bits(i, d) >> 24);
      shifted.insert(static_cast<std::uint32_t>(sobol_number(key_of(i), d) * samples));
    }
    EXPECT_EQ(plain.size(), samples) << d;
    EXPECT_EQ(shifted.size(), samples) << d;
  }
}

// Joe and Kuo choose their numbers so that Sobol's property A holds: the first 2^d points of d dimensions lie one in
// each of the 2^d boxes that halve every dimension.
TEST(Sampling, the_first_points_lie_one_in_each_half_of_all_dimensions) {
  for (const std::size_t dimensions : {2U, 5U, 9U, 13U}) {
    std::set<std::uint64_t> boxes;
    for (std::uint64_t i = 0; i < (1ULL << dimensions); ++i) {
      std::uint64_t box = 0;
      for (std::size_t d = 0; d < dimensions; ++d) box = box << 1 | sobol_bits(i, d) >> 31;
      boxes.insert(box);
    }
    EXPECT_EQ(boxes.size(), 1ULL << dimensions);
  }
}

TEST(Sampling, sobol_integrates_a_smooth_function_better_than_random_numbers) {
  constexpr std::uint64_t samples = 4096;
  double even = 0.0, random = 0.0;
  for (std::uint64_t i = 0; i < samples; ++i) {
    double product = 1.0, other = 1.0;
    for (std::size_t d = 0; d < 5; ++d) {  // its integral is 1
      product *= 0.5 + sobol_number(key_of(i, std::to_string(d)), d);
      other *= 0.5 + uniform_number(key_of(i, std::to_string(d)), 0);
    }
    even += product / samples;
    random += other / samples;
  }
  EXPECT_LT(std::abs(even - 1.0), 1e-3);
  EXPECT_LT(std::abs(even - 1.0), std::abs(random - 1.0));
}

using SampledStudy = StudyFolder;

TEST_F(SampledStudy, draws_cover_their_distribution_evenly) {
  for (const char* const sampling : {"latin-hypercube", "sobol"}) {
    const Study study = prepared(std::string("seed: 3\nsamples: 64\nsampling: ") + sampling +
                                 "\nvary: {left.to_ground.k: {uniform: [0, 64]}, right.to_ground.k: {log-uniform: "
                                 "[1, 16]}, d: {choice: [0.1, 0.2]}}\nset: {left.to_ground.d: \"{d}\"}\n"
                                 "metrics: [radius]\n")
                            .study;
    std::set<int> first, second;
    int chosen = 0;
    for (std::size_t i = 0; i < 64; ++i) {
      const Point point = point_of(study, i);
      first.insert(static_cast<int>(point.values[0].number));
      second.insert(static_cast<int>(16.0 * std::log2(point.values[1].number)));
      chosen += point.texts[2] == "0.1" ? 1 : 0;
    }
    EXPECT_EQ(first.size(), 64U) << sampling;
    EXPECT_EQ(second.size(), 64U) << sampling;
    EXPECT_EQ(chosen, 32) << sampling;
  }
}

TEST_F(SampledStudy, more_draws_than_the_sobol_sequence_has_dimensions_are_a_problem) {
  std::string vary, sum = "0";
  for (int i = 0; i < 54; ++i) {
    vary += fmt::format("  p{}: {{uniform: [1, 2]}}\n", i);
    sum += fmt::format("+p{}", i);
  }
  const std::string problems = problems_of("seed: 1\nsamples: 2\nsampling: sobol\nmetrics: [radius]\nvary:\n" + vary +
                                           "set: {left.to_ground.k: \"{" + sum + "}\"}\n");
  EXPECT_NE(problems.find("has 53 dimensions, and 54 are needed"), std::string::npos) << problems;
}

}  // namespace
}  // namespace seam::study
