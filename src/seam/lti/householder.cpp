#include "seam/lti/householder.hpp"

#include <cmath>
#include <limits>

#include "seam/lti/fours.hpp"

namespace seam::lti {
namespace {

/// `count` columns in one go: v is read once for all.
template <int count>
[[gnu::always_inline]] inline void reflect_some(const double* v, double factor, int rows, double* columns,
                                                int leading) {
  Four products[count] = {};
  double factors[count] = {};
  int i = 0;
  for (; i + 4 <= rows; i += 4) {
    const Four own = *reinterpret_cast<const Four*>(v + i);
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) products[c] += own * *reinterpret_cast<const Four*>(columns + c * leading + i);
  }
  for (; i < rows; ++i) {
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) factors[c] += v[i] * columns[c * leading + i];
  }
#pragma GCC unroll 4
  for (int c = 0; c < count; ++c) factors[c] = factor * (factors[c] + sum_of(products[c]));
  for (i = 0; i + 4 <= rows; i += 4) {
    const Four own = *reinterpret_cast<const Four*>(v + i);
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) *reinterpret_cast<Four*>(columns + c * leading + i) -= factors[c] * own;
  }
  for (; i < rows; ++i) {
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) columns[c * leading + i] -= factors[c] * v[i];
  }
}

[[gnu::always_inline]] inline void reflect_all(const double* v, double factor, const Columns& columns) {
  double* next = columns.numbers;
  int left = columns.count;
  for (; left >= 4; left -= 4, next += 4 * columns.leading)
    reflect_some<4>(v, factor, columns.rows, next, columns.leading);
  if (left == 3) reflect_some<3>(v, factor, columns.rows, next, columns.leading);
  if (left == 2) reflect_some<2>(v, factor, columns.rows, next, columns.leading);
  if (left == 1) reflect_some<1>(v, factor, columns.rows, next, columns.leading);
}

void by_pairs(const double* v, double factor, const Columns& columns) { reflect_all(v, factor, columns); }

#ifdef __x86_64__
[[gnu::target("avx")]] void by_fours(const double* v, double factor, const Columns& columns) {
  reflect_all(v, factor, columns);
}
const auto best_way = __builtin_cpu_supports("avx") ? by_fours : by_pairs;
#else
const auto best_way = by_pairs;
#endif

}  // namespace

Reflection reflection(double first, double squares) {
  const double norm = std::sqrt(squares);
  return {first + std::copysign(norm, first), std::copysign(norm, -first), 1.0 / (squares + std::abs(first) * norm)};
}

void reflect(const double* v, double factor, const Columns& columns) { best_way(v, factor, columns); }

double sum_of_squares(const double* numbers, int count) { return dot(numbers, numbers, count); }

void make_triangular(const Columns& A) {
  for (int j = 0; j < A.count && j + 1 < A.rows; ++j) {
    double* const own = A.numbers + j * A.leading + j;
    const double squares = sum_of_squares(own, A.rows - j);
    if (!(squares > std::numeric_limits<double>::min())) continue;  // below the rounding error of its terms
    const Reflection mirror = reflection(own[0], squares);
    own[0] = mirror.first;
    reflect(own, mirror.factor, {own + A.leading, A.rows - j, A.count - j - 1, A.leading});
    own[0] = mirror.image;
  }
}

}  // namespace seam::lti
