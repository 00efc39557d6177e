#include "seam/assembly/linear_kernel.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace seam::assembly {
namespace {

/// Numbers without a pattern, the same in every run.
class Numbers {
 public:
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1.0p-52 - 1.0;
  }
  std::vector<double> take(int count) {
    std::vector<double> result;
    for (int i = 0; i < count; ++i) result.push_back(next());
    return result;
  }

 private:
  std::uint64_t state_ = 42;
};

/// Row by row: the sum over k of columns[k*rows + i] factors[k], from the left.
std::vector<double> product(const std::vector<double>& columns, int rows, const std::vector<double>& factors) {
  std::vector<double> result;
  for (int i = 0; i < rows; ++i) {
    double sum = factors.empty() ? 0.0 : columns[static_cast<std::size_t>(i)] * factors[0];
    for (std::size_t k = 1; k < factors.size(); ++k) {
      sum += columns[k * static_cast<std::size_t>(rows) + static_cast<std::size_t>(i)] * factors[k];
    }
    result.push_back(sum);
  }
  return result;
}

void compare_with_plain_rows(LinearStep step, Numbers& numbers) {
  const int width = (step.degree + 1) * step.m;
  const std::vector<double> columns = numbers.take(step.n * (step.n + width));
  const std::vector<double> out = numbers.take(step.p * (step.n + (step.feeds_through ? step.m : 0)));
  const std::vector<double> c = numbers.take(width);
  std::vector<double> x = numbers.take(step.n), scratch(static_cast<std::size_t>(step.n + step.m)),
                      y(static_cast<std::size_t>(step.p));
  std::vector<double> factors = x;
  factors.insert(factors.end(), c.begin(), c.end());
  const std::vector<double> next = product(columns, step.n, factors);
  std::vector<double> seen = next;
  for (int k = 0; step.feeds_through && k < step.m; ++k) {
    double end = c[static_cast<std::size_t>(step.degree * step.m + k)];
    for (int j = step.degree - 1; j >= 0; --j) end += c[static_cast<std::size_t>(j * step.m + k)];
    seen.push_back(end);
  }
  const std::vector<double> expected = product(out, step.p, seen);

  step.step = columns.data();
  step.out = out.data();
  step.x = x.data();
  step.scratch = scratch.data();
  linear_kernel(step)(step, c.data(), y.data());
  EXPECT_EQ(x, next) << step.n << " " << step.m << " " << step.p << " " << step.degree << " " << step.feeds_through;
  EXPECT_EQ(y, expected) << step.n << " " << step.m << " " << step.p << " " << step.degree << " " << step.feeds_through;
}

// Both sides of every size that is unrolled (4 states, 2 inputs, 3 outputs, degree 2).
TEST(LinearKernel, every_size_gives_the_bits_of_plain_rows) {
  Numbers numbers;
  for (int n = 0; n <= 6; ++n) {
    for (int m = 0; m <= 3; ++m) {
      for (int p = 0; p <= 4; ++p) {
        for (int degree = 0; degree <= 3; ++degree) {
          for (const bool feeds : {false, true}) {
            compare_with_plain_rows({.n = n, .m = m, .p = p, .degree = degree, .feeds_through = feeds}, numbers);
          }
        }
      }
    }
  }
}

TEST(LinearKernel, small_sizes_are_unrolled_and_large_ones_share_one_kernel) {
  const LinearStep small{.n = 2, .m = 1, .p = 1}, other{.n = 3, .m = 1, .p = 1};
  const LinearStep large{.n = 9, .m = 1, .p = 1}, larger{.n = 10, .m = 5, .p = 7, .degree = 3};
  EXPECT_NE(linear_kernel(small), linear_kernel(other));
  EXPECT_NE(linear_kernel(small), linear_kernel(large));
  EXPECT_EQ(linear_kernel(large), linear_kernel(larger));
}

}  // namespace
}  // namespace seam::assembly
