// Columns of numbers, four numbers at a time: with vectors of four where the processor has them and the caller is
// compiled for them, by pairs elsewhere, always in the same order and therefore with the same result. Only source files
// of this room include it.
#pragma once

namespace seam::lti {

using Four = double __attribute__((vector_size(32), aligned(8), may_alias));

/// Rows that are filled up with zeros to whole fours.
inline constexpr int rows_of_fours(int rows) { return (rows + 3) / 4 * 4; }

[[gnu::always_inline]] inline double sum_of(const Four& four) { return (four[0] + four[2]) + (four[1] + four[3]); }

/// Sum of products of `count` numbers.
[[gnu::always_inline]] inline double dot(const double* a, const double* b, int count) {
  Four sums[2] = {};
  int i = 0;
  for (; i + 8 <= count; i += 8) {
    sums[0] += *reinterpret_cast<const Four*>(a + i) * *reinterpret_cast<const Four*>(b + i);
    sums[1] += *reinterpret_cast<const Four*>(a + i + 4) * *reinterpret_cast<const Four*>(b + i + 4);
  }
  for (; i + 4 <= count; i += 4)
    sums[0] += *reinterpret_cast<const Four*>(a + i) * *reinterpret_cast<const Four*>(b + i);
  double sum = sum_of(sums[0] + sums[1]);
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

/// to += factor * a, `count` numbers.
[[gnu::always_inline]] inline void add_scaled(double factor, const double* a, int count, double* to) {
  int i = 0;
  for (; i + 4 <= count; i += 4) *reinterpret_cast<Four*>(to + i) += factor * *reinterpret_cast<const Four*>(a + i);
  for (; i < count; ++i) to[i] += factor * a[i];
}

}  // namespace seam::lti
