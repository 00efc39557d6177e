#include "seam/lti/affine_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace seam::lti {

// Each row is the sum of its even columns plus the sum of its odd columns: two chains of additions that do not wait for
// each other. Products and sums are rounded one by one (no fused operations), so that every processor gives the same
// numbers; GCC makes two halves of each vector where the processor has none of four numbers.
struct AffineKernels {
  using Part = AffineRows::Part;
  using Four = double __attribute__((vector_size(32), aligned(8), may_alias));
  static constexpr int most_blocks = 6;  ///< two sums of each in sixteen registers, with room for the factors

  template <int blocks>
  [[gnu::always_inline]] static inline bool add_up(const double* numbers, const int* from, std::size_t columns,
                                                   const double* z, double* to) {
    const auto* const limits = reinterpret_cast<const Four*>(numbers);
    const Four* matrix = limits + blocks;
    Four even[blocks], odd[blocks];
#pragma GCC unroll 6
    for (int i = 0; i < blocks; ++i) {  // not unrolled, GCC copies them through the stack
      even[i] = matrix[i];
      odd[i] = Four{};
    }
    std::size_t k = 0;
    for (; k + 1 < columns; k += 2) {
      const double first = z[from[k]], second = z[from[k + 1]];
      matrix += blocks;
#pragma GCC unroll 6
      for (int i = 0; i < blocks; ++i) even[i] += matrix[i] * first;
      matrix += blocks;
#pragma GCC unroll 6
      for (int i = 0; i < blocks; ++i) odd[i] += matrix[i] * second;
    }
    if (k < columns) {
      const double last = z[from[k]];
      matrix += blocks;
#pragma GCC unroll 6
      for (int i = 0; i < blocks; ++i) even[i] += matrix[i] * last;
    }
    auto sound = limits[0] == limits[0];  // all true: limits are numbers
#pragma GCC unroll 6
    for (int i = 0; i < blocks; ++i) {
      const Four sum = even[i] + odd[i];
      reinterpret_cast<Four*>(to)[i] = sum;
      sound &= (sum <= limits[i]) & (-sum <= limits[i]);
    }
    return (sound[0] & sound[1] & sound[2] & sound[3]) != 0;
  }

  template <int blocks>
  static bool plain(const double* numbers, const int* from, std::size_t columns, const double* z, double* to) {
    return add_up<blocks>(numbers, from, columns, z, to);
  }
#ifdef __x86_64__
  template <int blocks>
  [[gnu::target("avx")]] static bool with_avx(const double* numbers, const int* from, std::size_t columns,
                                              const double* z, double* to) {
    return add_up<blocks>(numbers, from, columns, z, to);
  }
#endif

  template <int... blocks>
  static Part::AddUp choose(int wanted, std::integer_sequence<int, blocks...>) {
    constexpr std::array<Part::AddUp, sizeof...(blocks)> everywhere{plain<blocks + 1>...};
#ifdef __x86_64__
    constexpr std::array<Part::AddUp, sizeof...(blocks)> four{with_avx<blocks + 1>...};
    if (__builtin_cpu_supports("avx")) return four[static_cast<std::size_t>(wanted - 1)];
#endif
    return everywhere[static_cast<std::size_t>(wanted - 1)];
  }
  static Part::AddUp choose(int wanted) { return choose(wanted, std::make_integer_sequence<int, most_blocks>()); }
};

AffineRows::AffineRows(const AffineMap& map) : rows_(static_cast<int>(map.columns.rows())), from_(map.from) {
  const int all = written() / rows_a_block;
  const int parts = (all + AffineKernels::most_blocks - 1) / AffineKernels::most_blocks;
  numbers_.reserve(static_cast<std::size_t>(written()) * (from_.size() + 2));
  const auto append = [&](int first, int blocks, const auto& number, double filling) {
    for (int row = first * rows_a_block; row < (first + blocks) * rows_a_block; ++row)
      numbers_.push_back(row < rows_ ? number(row) : filling);
  };
  int first = 0;
  for (int p = 0; p < parts; ++p) {
    const int blocks = (all - first + parts - p - 1) / (parts - p);  // parts of about the same size
    parts_.push_back({AffineKernels::choose(blocks), numbers_.size(), blocks});
    const auto entry_of = [](const std::vector<double>& list, double otherwise) {
      return [&list, otherwise](int row) { return list.empty() ? otherwise : list[static_cast<std::size_t>(row)]; };
    };
    append(first, blocks, entry_of(map.magnitudes, std::numeric_limits<double>::max()), 0.0);
    append(first, blocks, entry_of(map.constants, 0.0), 0.0);
    for (Eigen::Index k = 0; k < map.columns.cols(); ++k)
      append(
          first, blocks, [&](int row) { return map.columns(row, k); }, 0.0);
    first += blocks;
  }
}

}  // namespace seam::lti
