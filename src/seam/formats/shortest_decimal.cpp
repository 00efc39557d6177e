#include "seam/formats/shortest_decimal.hpp"

#include <array>
#include <bit>

namespace seam::formats {
namespace {

__extension__ using Wide = unsigned __int128;

/// 10^k = g 2^r rounded up, g of 128 bits with the first one set.
struct PowerOfTen {
  std::uint64_t high = 0, low = 0;
};

constexpr int smallest_power = -292, largest_power = 324;

/// A whole number of 1280 bits, the lowest first.
struct Long {
  std::array<std::uint32_t, 40> words{};

  constexpr void multiply_by_ten() {
    std::uint64_t carry = 0;
    for (std::uint32_t& word : words) {
      carry += std::uint64_t{word} * 10;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  constexpr void divide_by_ten() {
    std::uint64_t rest = 0;
    for (std::size_t i = words.size(); i-- > 0;) {
      rest = (rest << 32) | words[i];
      words[i] = static_cast<std::uint32_t>(rest / 10);
      rest %= 10;
    }
  }
  /// The first 128 bits from the highest one that is set, plus 1 if anything follows them.
  constexpr PowerOfTen leading() const {
    std::size_t top = words.size() - 1;
    while (words[top] == 0) --top;
    const int shift = std::countl_zero(words[top]);
    Wide value = 0;
    std::uint32_t following = 0;
    for (int i = 0; i < 5; ++i) {
      const std::uint64_t word = top >= static_cast<std::size_t>(i) ? words[top - static_cast<std::size_t>(i)] : 0;
      if (i < 4) {
        value = (value << 32) | word;
      } else if (shift > 0) {
        value = (value << shift) | (word >> (32 - shift));
        following = static_cast<std::uint32_t>(word << shift);
      } else {
        following = static_cast<std::uint32_t>(word);
      }
    }
    for (std::size_t i = 0; i + 5 <= top; ++i) following |= words[i];
    if (following != 0) ++value;
    return {static_cast<std::uint64_t>(value >> 64), static_cast<std::uint64_t>(value)};
  }
};

using Powers = std::array<PowerOfTen, largest_power - smallest_power + 1>;

constexpr Powers make_powers() {
  Powers powers{};
  Long number;
  number.words[0] = 1;
  for (int k = 0; k <= largest_power; ++k) {
    powers[static_cast<std::size_t>(k - smallest_power)] = number.leading();
    number.multiply_by_ten();
  }
  number = {};
  number.words.back() = 1;  // 2^1248, divided: quotients of quotients are cut off as if they were one
  for (int k = -1; k >= smallest_power; --k) {
    number.divide_by_ten();
    powers[static_cast<std::size_t>(k - smallest_power)] = number.leading();
  }
  return powers;
}

constexpr Powers powers = make_powers();

// Exact for every exponent of a double.
constexpr int floor_log2_of_ten_to(int e) { return (e * 1741647) >> 19; }
constexpr int floor_log10_of_two_to(int e) { return (e * 1262611) >> 22; }
constexpr int floor_log10_of_three_quarters_of_two_to(int e) { return (e * 1262611 - 524031) >> 22; }

/// The whole part of g times c / 2^128, its last bit set if anything was cut off.
std::uint64_t round_to_odd(const PowerOfTen& g, std::uint64_t c) {
  const Wide low = static_cast<Wide>(g.low) * c;
  const Wide sum = static_cast<Wide>(g.high) * c + static_cast<std::uint64_t>(low >> 64);
  return static_cast<std::uint64_t>(sum >> 64) | (static_cast<std::uint64_t>(sum) > 1 ? 1 : 0);
}

}  // namespace

ShortestDecimal shortest_decimal(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const int biased = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t c = biased == 0 ? fraction : fraction | (std::uint64_t{1} << 52);
  const int q = (biased == 0 ? 1 : biased) - 1075;

  // Everything between the middles to both neighbours is read as `number`, the middles too if its last bit is 0. Below
  // a power of two the neighbour is nearer.
  const bool nearer_below = fraction == 0 && biased > 1;
  const std::uint64_t odd = c & 1;
  const int k = nearer_below ? floor_log10_of_three_quarters_of_two_to(q) : floor_log10_of_two_to(q);
  const int shift = q + floor_log2_of_ten_to(-k) + 1;
  const PowerOfTen& power = powers[static_cast<std::size_t>(-k - smallest_power)];
  const std::uint64_t below = round_to_odd(power, (4 * c - (nearer_below ? 1 : 2)) << shift) + odd;
  const std::uint64_t value = round_to_odd(power, 4 * c << shift);
  const std::uint64_t above = round_to_odd(power, (4 * c + 2) << shift) - odd;

  // All in quarters of 10^k: one digit less if just one of the tens beside the number lies inside, else the one
  // number beside it that lies inside, else the nearer one. Chosen as values, since branches could not be predicted.
  const std::uint64_t s = value / 4, tens = s / 10, middle = 4 * s + 2;
  const bool lower_ten = below <= 40 * tens, upper_ten = 40 * tens + 40 <= above;
  const bool lower_inside = below <= 4 * s, upper_inside = 4 * s + 4 <= above;
  const bool nearer_above = value > middle || (value == middle && (s & 1) != 0);
  const bool up = lower_inside != upper_inside ? upper_inside : nearer_above;
  const bool shorter = s >= 10 && lower_ten != upper_ten;
  return {shorter ? tens + (upper_ten ? 1 : 0) : s + (up ? 1 : 0), shorter ? k + 1 : k};
}

}  // namespace seam::formats
