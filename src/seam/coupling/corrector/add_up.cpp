#include "seam/coupling/corrector/add_up.hpp"

#include <array>
#include <cmath>
#include <utility>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace seam::coupling {
namespace {

using Group = Correction::Quick::Group;

// Rows side by side, by vectors as the processor has them: of four numbers most, of two every one of this kind. The
// columns of what the step itself made come last: the processor can add up all others while the subsystems still step.
// `to` may lie in `values`: nothing is written before all is read.
using Two = double __attribute__((vector_size(16), aligned(8), may_alias));
constexpr std::size_t most_in_one_go = 16;  ///< columns
using AddUp = decltype(Group::add_up);

template <int blocks>
bool by_twos(const Group& group, const double* models, const double* values, double* to) {
  const auto *limits = reinterpret_cast<const Two*>(models + group.matrix), *matrix = limits + 2 * blocks;
  Two sums[2 * blocks];
#pragma GCC unroll 12
  for (int i = 0; i < 2 * blocks; ++i) sums[i] = matrix[i];
  for (const int from : group.from) {
    matrix += 2 * blocks;
    const double factor = values[from];
#pragma GCC unroll 12
    for (int i = 0; i < 2 * blocks; ++i) sums[i] += matrix[i] * factor;
  }
  bool sound = true;
#pragma GCC unroll 12
  for (int i = 0; i < 2 * blocks; ++i) {
    reinterpret_cast<Two*>(to)[i] = sums[i];
    sound &= std::abs(sums[i][0]) <= limits[i][0] && std::abs(sums[i][1]) <= limits[i][1];
  }
  return sound;
}

#ifdef __x86_64__
/// `known`: how many columns there are, or 0 where they are counted while running.
template <int blocks, int known>
[[gnu::target("avx")]] bool by_fours(const Group& group, const double* models, const double* values, double* to) {
  const double *limits = models + group.matrix, *matrix = limits + 4 * blocks;
  const int* from = group.from.data();
  __m256d sums[blocks];
#pragma GCC unroll 6
  for (int i = 0; i < blocks; ++i) sums[i] = _mm256_loadu_pd(matrix + 4 * i);
  const std::size_t columns = known > 0 ? known : group.from.size();
#pragma GCC unroll 16
  for (std::size_t k = 0; k < columns; ++k) {
    matrix += 4 * blocks;
    const __m256d factor = _mm256_broadcast_sd(values + from[k]);
#pragma GCC unroll 6
    for (int i = 0; i < blocks; ++i)
      sums[i] = _mm256_add_pd(sums[i], _mm256_mul_pd(_mm256_loadu_pd(matrix + 4 * i), factor));
  }
  const __m256d sign = _mm256_set1_pd(-0.0);
  __m256d sound = _mm256_cmp_pd(sign, sign, _CMP_EQ_OQ);
#pragma GCC unroll 6
  for (int i = 0; i < blocks; ++i) {
    _mm256_storeu_pd(to + 4 * i, sums[i]);
    const __m256d size = _mm256_andnot_pd(sign, sums[i]);
    sound = _mm256_and_pd(sound, _mm256_cmp_pd(size, _mm256_loadu_pd(limits + 4 * i), _CMP_LE_OQ));
  }
  return _mm256_movemask_pd(sound) == 0b1111;
}

template <int blocks, std::size_t... columns>
constexpr std::array<AddUp, sizeof...(columns)> by_fours_of(std::index_sequence<columns...>) {
  return {by_fours<blocks, static_cast<int>(columns)>...};
}
#endif

template <std::size_t... blocks>
AddUp choose(std::size_t wanted, [[maybe_unused]] std::size_t columns, [[maybe_unused]] Vectors vectors,
             std::index_sequence<blocks...>) {
#ifdef __x86_64__
  using Columns = std::make_index_sequence<most_in_one_go + 1>;
  constexpr std::array table{by_fours_of<static_cast<int>(blocks + 1)>(Columns())...};
  if (vectors == Vectors::of_four && __builtin_cpu_supports("avx"))
    return table[wanted - 1][columns <= most_in_one_go ? columns : 0];
#endif
  constexpr std::array<AddUp, sizeof...(blocks)> twos{by_twos<static_cast<int>(blocks + 1)>...};
  return twos[wanted - 1];
}

}  // namespace

AddUp way_to_add_up(std::size_t blocks, std::size_t columns, Vectors vectors) {
  return choose(blocks, columns, vectors, std::make_index_sequence<most_blocks>());
}

}  // namespace seam::coupling
