#include "seam/coupling/corrector/add_up.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "seam/base/numbers.hpp"

namespace seam::coupling {
namespace {

using Group = Correction::Quick::Group;

/// Random numbers for a group of so many blocks and columns, and what the rows are, added up one by one.
struct Sums {
  Group group;
  base::Numbers models, values, expected;

  Sums(std::size_t blocks, std::size_t columns, std::mt19937& generator) {
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    const std::size_t rows = blocks * rows_a_block;
    for (std::size_t i = 0; i < columns + 3; ++i) values.push_back(number(generator));
    models.assign(rows, std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < rows * (columns + 1); ++i) models.push_back(number(generator));
    for (std::size_t k = 0; k < columns; ++k) group.from.push_back(static_cast<int>(columns + 2 - k));
    for (std::size_t r = 0; r < rows; ++r) {
      double sum = models[rows + r];
      for (std::size_t k = 0; k < columns; ++k)
        sum += models[(k + 2) * rows + r] * values[static_cast<std::size_t>(group.from[k])];
      expected.push_back(sum);
    }
  }
};

TEST(AddUp, every_way_adds_up_the_rows_one_by_one) {
  std::mt19937 generator(5);
  for (const Vectors vectors : {Vectors::of_two, Vectors::of_four}) {
    for (std::size_t blocks = 1; blocks <= most_blocks; ++blocks) {
      for (const std::size_t columns : {1, 2, 5, 13, 16, 17, 40}) {
        Sums sums(blocks, columns, generator);
        base::Numbers found(blocks * rows_a_block);
        const auto add_up = way_to_add_up(blocks, columns, vectors);
        EXPECT_TRUE(add_up(sums.group, sums.models.data(), sums.values.data(), found.data()));
        EXPECT_EQ(found, sums.expected) << blocks << " blocks, " << columns << " columns";
      }
    }
  }
}

TEST(AddUp, a_row_beyond_its_limit_is_told_wherever_it_is) {
  std::mt19937 generator(6);
  for (const Vectors vectors : {Vectors::of_two, Vectors::of_four}) {
    for (std::size_t row = 0; row < 3 * rows_a_block; ++row) {
      Sums sums(3, 4, generator);
      base::Numbers found(3 * rows_a_block);
      const auto is_sound = [&](double limit) {
        sums.models[row] = limit;
        return way_to_add_up(3, 4, vectors)(sums.group, sums.models.data(), sums.values.data(), found.data());
      };
      EXPECT_TRUE(is_sound(std::abs(sums.expected[row])));
      EXPECT_FALSE(is_sound(0.999 * std::abs(sums.expected[row])));
      sums.values[static_cast<std::size_t>(sums.group.from[1])] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_FALSE(is_sound(std::numeric_limits<double>::infinity()));
    }
  }
}

}  // namespace
}  // namespace seam::coupling
