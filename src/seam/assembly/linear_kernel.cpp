#include "seam/assembly/linear_kernel.hpp"

#include <array>
#include <utility>

namespace seam::assembly {
namespace {

/// result_i += column[i] * factor: entries side by side, so that the compiler may take two at a time.
[[gnu::always_inline]] inline void add_column(double* result, int count, const double* column, double factor) {
  for (int i = 0; i < count; ++i) result[i] += column[i] * factor;
}

/// What the columns are multiplied by: n numbers, then `width` more that lie elsewhere. At least one in all.
struct Factors {
  const double* first;
  int n;
  const double* second;
  int width;
};

/// result = sum_k columns_k factor_k, from the left. (Starting from the first product and not from 0 saves an addition
/// on the critical path.)
[[gnu::always_inline]] inline void combine(double* result, int count, const double* columns, const Factors& factors) {
  const double start = factors.n > 0 ? factors.first[0] : factors.second[0];
  for (int i = 0; i < count; ++i) result[i] = columns[i] * start;
  for (int k = 1; k < factors.n; ++k) add_column(result, count, columns + k * count, factors.first[k]);
  for (int k = factors.n > 0 ? 0 : 1; k < factors.width; ++k) {
    add_column(result, count, columns + (factors.n + k) * count, factors.second[k]);
  }
}

/// u(1) = sum_j c_j by Horner's rule.
[[gnu::always_inline]] inline double at_end(const double* c, int degree, int stride) {
  double sum = c[degree * stride];
  for (int j = degree - 1; j >= 0; --j) sum += c[j * stride];
  return sum;
}

void any_size(const LinearStep& s, const double* c, double* y) {
  const int width = (s.degree + 1) * s.m;
  if (s.n > 0) combine(s.scratch, s.n, s.step, {s.x, s.n, c, width});
  for (int i = 0; i < s.n; ++i) s.x[i] = s.scratch[i];
  const int fed = s.feeds_through ? s.m : 0;
  double* end = s.scratch + s.n;
  for (int k = 0; k < fed; ++k) end[k] = at_end(c + k, s.degree, s.m);
  if (s.n + fed > 0) {
    combine(y, s.p, s.out, {s.x, s.n, end, fed});
  } else {
    for (int i = 0; i < s.p; ++i) y[i] = 0.0;
  }
}

/// Two entries at a time, as every processor of this kind can: each is added up as above.
using Two = double __attribute__((vector_size(16), aligned(8), may_alias));

template <int count, int n, int width>
[[gnu::always_inline]] inline void combine_pairs(double* result, const double* columns, const double* first,
                                                 const double* second) {
  constexpr int pairs = count / 2;
  Two sums[pairs > 0 ? pairs : 1];
  double last = 0.0;
  const auto factor = [&](int k) { return k < n ? first[k] : second[k - n]; };
  const auto pair = [&](int k, int i) { return reinterpret_cast<const Two*>(columns + k * count)[i]; };
#pragma GCC unroll 2
  for (int i = 0; i < pairs; ++i) sums[i] = pair(0, i) * factor(0);
  if (count % 2 != 0) last = columns[count - 1] * factor(0);
#pragma GCC unroll 16
  for (int k = 1; k < n + width; ++k) {
#pragma GCC unroll 2
    for (int i = 0; i < pairs; ++i) sums[i] += pair(k, i) * factor(k);
    if (count % 2 != 0) last += columns[k * count + count - 1] * factor(k);
  }
#pragma GCC unroll 2
  for (int i = 0; i < pairs; ++i) reinterpret_cast<Two*>(result)[i] = sums[i];
  if (count % 2 != 0) result[count - 1] = last;
}

template <int n, int m, int p, int degree, bool feeds>
void unrolled(const LinearStep& s, const double* c, double* y) {
  constexpr int fed = feeds ? m : 0;
  double next[n], end[m], out[p];
  combine_pairs<n, n, (degree + 1) * m>(next, s.step, s.x, c);
  for (int k = 0; k < fed; ++k) end[k] = at_end(c + k, degree, m);
  combine_pairs<p, n, fed>(out, s.out, next, end);
  for (int i = 0; i < n; ++i) s.x[i] = next[i];
  for (int i = 0; i < p; ++i) y[i] = out[i];
}

// Sizes that are unrolled: single masses and small filters, where calling costs as much as computing.
constexpr int most_states = 4, most_inputs = 2, most_outputs = 3, highest_degree = 2;
constexpr int kernels = most_states * most_inputs * most_outputs * (highest_degree + 1) * 2;

/// The place of a kernel in the table; the template below reads it back.
constexpr int index_of(int n, int m, int p, int degree, bool feeds) {
  return (n - 1) +
         most_states *
             ((m - 1) + most_inputs * ((p - 1) + most_outputs * (degree + (highest_degree + 1) * (feeds ? 1 : 0))));
}

template <int index>
constexpr LinearKernel kernel_at() {
  constexpr int n = index % most_states + 1;
  constexpr int after_n = index / most_states;
  constexpr int m = after_n % most_inputs + 1;
  constexpr int after_m = after_n / most_inputs;
  constexpr int p = after_m % most_outputs + 1;
  constexpr int after_p = after_m / most_outputs;
  constexpr int degree = after_p % (highest_degree + 1);
  constexpr bool feeds = after_p / (highest_degree + 1) == 1;
  static_assert(index_of(n, m, p, degree, feeds) == index);
  return unrolled<n, m, p, degree, feeds>;
}

template <int... index>
constexpr std::array<LinearKernel, kernels> all_kernels(std::integer_sequence<int, index...>) {
  return {kernel_at<index>()...};
}

}  // namespace

LinearKernel linear_kernel(const LinearStep& s) {
  static constexpr auto table = all_kernels(std::make_integer_sequence<int, kernels>());
  const bool small = s.n >= 1 && s.n <= most_states && s.m >= 1 && s.m <= most_inputs && s.p >= 1 &&
                     s.p <= most_outputs && s.degree <= highest_degree;
  return small ? table[static_cast<unsigned>(index_of(s.n, s.m, s.p, s.degree, s.feeds_through))] : any_size;
}

}  // namespace seam::assembly
