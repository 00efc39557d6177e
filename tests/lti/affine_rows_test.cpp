#include "seam/lti/affine_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace seam::lti {
namespace {

AffineMap random_map(int rows, int columns, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  AffineMap map;
  map.columns.resize(rows, columns);
  for (int k = 0; k < columns; ++k) {
    map.from.push_back((7 * k + 3) % (columns + 5));
    for (int r = 0; r < rows; ++r) map.columns(r, k) = normal(generator);
  }
  for (int r = 0; r < rows; ++r) map.constants.push_back(normal(generator));
  return map;
}

/// Even columns, then odd ones, as the kernel adds them up.
double sum_of(const AffineMap& map, int row, const std::vector<double>& z) {
  double even = map.constants[static_cast<std::size_t>(row)], odd = 0.0;
  for (int k = 0; k < static_cast<int>(map.from.size()); ++k)
    (k % 2 == 0 ? even : odd) +=
        map.columns(row, k) * z[static_cast<std::size_t>(map.from[static_cast<std::size_t>(k)])];
  return even + odd;
}

TEST(AffineRows, every_size_gives_the_bits_of_its_rows_summed_one_by_one) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  for (int rows = 1; rows <= 60; ++rows) {
    for (const int columns : {0, 1, 2, 3, 8, 17, 40}) {
      const AffineMap map = random_map(rows, columns, generator);
      const AffineRows kernel(map);
      std::vector<double> z(static_cast<std::size_t>(columns) + 5), result(static_cast<std::size_t>(kernel.written()));
      for (double& value : z) value = normal(generator);
      EXPECT_TRUE(kernel.apply(z.data(), result.data()));
      for (int r = 0; r < rows; ++r)
        ASSERT_EQ(result[static_cast<std::size_t>(r)], sum_of(map, r, z)) << rows << " x " << columns;
      for (int r = rows; r < kernel.written(); ++r) EXPECT_EQ(result[static_cast<std::size_t>(r)], 0.0);
    }
  }
}

TEST(AffineRows, a_row_beyond_its_limit_or_that_is_not_a_number_is_told_wherever_it_is) {
  std::mt19937_64 generator(2);
  for (const int rows : {1, 4, 5, 24, 31}) {
    for (int bad = 0; bad < rows; ++bad) {
      for (const double value : {2.5, -2.5, std::numeric_limits<double>::infinity(), std::nan("")}) {
        AffineMap map = random_map(rows, 3, generator);
        map.columns.setZero();
        map.constants.assign(static_cast<std::size_t>(rows), 1.0);
        map.magnitudes.assign(static_cast<std::size_t>(rows), 2.0);
        const std::vector<double> z(8, 1.0);
        std::vector<double> result(static_cast<std::size_t>(AffineRows(map).written()));
        EXPECT_TRUE(AffineRows(map).apply(z.data(), result.data()));
        map.constants[static_cast<std::size_t>(bad)] = value;
        EXPECT_FALSE(AffineRows(map).apply(z.data(), result.data())) << value << " in row " << bad << " of " << rows;
      }
    }
  }
}

}  // namespace
}  // namespace seam::lti
