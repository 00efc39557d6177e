// Loops over sizes that are known when compiling: small matrices, where counting costs as much as computing.
#pragma once

#include <utility>

namespace seam::base {

template <class Work, int... i>
[[gnu::always_inline]] inline void unrolled(const Work& work, std::integer_sequence<int, i...>) {
  (work(i), ...);
}

/// work(0), work(1), …, work(count - 1), without a loop.
template <int count, class Work>
[[gnu::always_inline]] inline void unrolled(const Work& work) {
  unrolled(work, std::make_integer_sequence<int, count>());
}

template <int size>
using Size = std::integral_constant<int, size>;

/// Calls work(Size<size>()) if 1 <= size <= most; whether it did.
template <int most, class Work>
bool for_size(int size, const Work& work) {
  if constexpr (most < 1) {
    return false;
  } else {
    if (size != most) return for_size<most - 1>(size, work);
    work(Size<most>());
    return true;
  }
}

}  // namespace seam::base
