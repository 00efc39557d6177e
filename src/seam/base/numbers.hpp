// Numbers that begin at a line of the cache: vectors of them do not lie across two lines.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace seam::base {

inline constexpr std::size_t cache_line = 64;  ///< bytes

/// For std::vector.
template <class Number>
struct LinedUp {
  using value_type = Number;
  LinedUp() = default;
  template <class Other>
  LinedUp(const LinedUp<Other>&) {}  // as allocators are converted to each other

  Number* allocate(std::size_t count) {
    return static_cast<Number*>(::operator new(count * sizeof(Number), std::align_val_t(cache_line)));
  }
  void deallocate(Number* numbers, std::size_t) { ::operator delete(numbers, std::align_val_t(cache_line)); }
  bool operator==(const LinedUp&) const { return true; }
};

using Numbers = std::vector<double, LinedUp<double>>;

}  // namespace seam::base
