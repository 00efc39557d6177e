// The shortest decimal number that reads back to the same double.
#pragma once

#include <cstdint>

namespace seam::formats {

/// digits * 10^exponent; the digits are less than 10^17, and zeros at their end do not count.
struct ShortestDecimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

/// Of all decimal numbers with the fewest digits that are read back as `number`, the one nearest to it (R. Giulietti,
/// "The Schubfach way to render doubles", 2021). `number` is positive and finite.
ShortestDecimal shortest_decimal(double number);

}  // namespace seam::formats
