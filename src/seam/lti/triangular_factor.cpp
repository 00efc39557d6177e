#include "seam/lti/triangular_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/lti/fours.hpp"

namespace seam::lti {
namespace {

using Problem = TriangularFactor::Problem;

/// The columns less factor * v (v^T columns).
template <int count>
[[gnu::always_inline]] inline void reflect(const double* v, double factor, int rows, double* columns, int leading) {
  Four products[count] = {};
  for (int i = 0; i < rows; i += 4) {
    const Four own = *reinterpret_cast<const Four*>(v + i);
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) products[c] += own * *reinterpret_cast<const Four*>(columns + c * leading + i);
  }
  double factors[count];
#pragma GCC unroll 4
  for (int c = 0; c < count; ++c) factors[c] = factor * sum_of(products[c]);
  for (int i = 0; i < rows; i += 4) {
    const Four own = *reinterpret_cast<const Four*>(v + i);
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) *reinterpret_cast<Four*>(columns + c * leading + i) -= factors[c] * own;
  }
}

// Householder's reflections. v has zeros above the diagonal, so that columns can be gone through by whole fours: what
// is above stays as it is.
[[gnu::always_inline]] inline void make_triangular(const Problem& p, double* v) {
  const int padded = rows_of_fours(p.rows);
  for (int j = 0; j < p.columns && j + 1 < p.rows; ++j) {
    const int first = j / 4 * 4, rows = padded - first;
    double* const own = p.A + j * p.leading + first;
    std::copy(own, own + rows, v);
    std::fill_n(v, j - first, 0.0);
    const double squares = dot(v, v, rows), norm = std::sqrt(squares), diagonal = v[j - first];
    if (!(squares > std::numeric_limits<double>::min())) continue;  // nothing but rounding of nothing
    own[j - first] = std::copysign(norm, -diagonal);
    v[j - first] += std::copysign(norm, diagonal);
    const double factor = 1.0 / (squares + std::abs(diagonal) * norm);
    double* columns = own + p.leading;
    int left = p.columns - j - 1;
    for (; left >= 4; left -= 4, columns += 4 * p.leading) reflect<4>(v, factor, rows, columns, p.leading);
    if (left == 3) reflect<3>(v, factor, rows, columns, p.leading);
    if (left == 2) reflect<2>(v, factor, rows, columns, p.leading);
    if (left == 1) reflect<1>(v, factor, rows, columns, p.leading);
  }
}

void by_pairs(const Problem& problem, double* v) { make_triangular(problem, v); }

#ifdef __x86_64__
[[gnu::target("avx")]] void by_fours(const Problem& problem, double* v) { make_triangular(problem, v); }
const auto best_way = __builtin_cpu_supports("avx") ? by_fours : by_pairs;
#else
const auto best_way = by_pairs;
#endif

}  // namespace

TriangularFactor::TriangularFactor(int most_rows) : mirror_(static_cast<std::size_t>(rows_of_fours(most_rows))) {}

void TriangularFactor::compute(const Problem& problem) { best_way(problem, mirror_.data()); }

}  // namespace seam::lti
