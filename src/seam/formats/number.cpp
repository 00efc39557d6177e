#include "seam/formats/number.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "seam/formats/shortest_decimal.hpp"

namespace seam::formats {
namespace {

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  return end - at;
}

constexpr std::array<std::uint64_t, 18> powers_of_ten = [] {
  std::array<std::uint64_t, 18> powers{};
  std::uint64_t power = 1;
  for (std::uint64_t& one : powers) {
    one = power;
    power *= 10;
  }
  return powers;
}();

/// How many digits a number below 10^17 has that is not 0.
int count_digits(std::uint64_t number) {
  const int about = static_cast<int>(std::bit_width(number)) * 1233 >> 12;  // log10 2
  return about + (number >= powers_of_ten[static_cast<std::size_t>(about)] ? 1 : 0);
}

/// Four digits as characters, the first in the lowest byte.
constexpr std::array<std::uint32_t, 10000> four_characters = [] {
  std::array<std::uint32_t, 10000> all{};
  for (std::uint32_t i = 0; i < all.size(); ++i)
    all[i] = 0x30303030 + (i / 1000 | (i / 100 % 10) << 8 | (i / 10 % 10) << 16 | (i % 10) << 24);
  return all;
}();

std::uint64_t eight_characters(std::uint32_t number) {
  const std::uint32_t high = number / 10000, low = number % 10000;
  return four_characters[high] | std::uint64_t{four_characters[low]} << 32;
}

/// Among eight characters.
int zeros_at_end(std::uint64_t characters) {
  return static_cast<int>(std::countl_zero(characters ^ 0x3030303030303030)) / 8;  // "00000000"
}

static_assert(std::endian::native == std::endian::little, "the first character is the lowest byte");

char* write_exponent(char* to, int exponent) {
  *to++ = 'e';
  *to++ = exponent < 0 ? '-' : '+';
  const auto size = static_cast<std::uint32_t>(std::abs(exponent));
  if (size >= 100) *to++ = static_cast<char>('0' + size / 100);
  *to++ = static_cast<char>('0' + size / 10 % 10);
  *to++ = static_cast<char>('0' + size % 10);
  return to;
}

bool is_sign(char c) { return c == '+' || c == '-'; }

}  // namespace

void prepare_number(double number, PreparedNumber& result) {
  result.number = number;
  result.count = 0;
  const double size = std::abs(number);
  // Whole numbers that doubles do not count one by one are written with all their digits: left to the library.
  if (!(size > 0.0 && (size < 9007199254740992.0 || size >= 1e24)) || std::isinf(size)) return;
  const ShortestDecimal decimal = shortest_decimal(size);
  const int places = count_digits(decimal.digits);
  result.exponent = decimal.exponent + places - 1;
  const std::uint64_t all = decimal.digits * powers_of_ten[static_cast<std::size_t>(17 - places)];
  const std::uint64_t upper = all / 100'000'000;
  result.first = upper / 100'000'000;
  result.tail[0] = eight_characters(static_cast<std::uint32_t>(upper % 100'000'000));
  result.tail[1] = eight_characters(static_cast<std::uint32_t>(all % 100'000'000));
  const int zeros = zeros_at_end(result.tail[1]);
  result.count = 17 - (zeros < 8 ? zeros : 8 + zeros_at_end(result.tail[0]));
}

// Fixed or scientific, whichever is shorter; fixed if both are as long. May write beyond the end it returns, within
// longest_number.
char* write_number(char* to, const PreparedNumber& prepared) {
  if (prepared.count == 0) {
    const double number = std::isnan(prepared.number) ? std::abs(prepared.number) : prepared.number;
    return std::to_chars(to, to + longest_number, number).ptr;  // all NaNs are written alike, with either sign bit
  }
  *to = '-';
  to += prepared.number < 0.0 ? 1 : 0;
  const int count = prepared.count, exponent = prepared.exponent;
  const auto first = static_cast<char>('0' + prepared.first);
  const int scientific = count + (count > 1 ? 1 : 0) + (std::abs(exponent) >= 100 ? 5 : 4);
  if (exponent <= 0 && count + 1 - exponent <= scientific + (exponent == 0 ? 5 : 0)) {  // 0.00ddd or d.ddd
    const int place = exponent < 0 ? 1 - exponent : 0;
    std::memcpy(to, "0.000000", 8);
    to[place] = first;
    std::memcpy(to + place + (exponent < 0 ? 1 : 2), prepared.tail, 16);
    return to + (exponent < 0 ? count + 1 - exponent : count + (count > 1 ? 1 : 0));
  }
  const bool whole = exponent >= count - 1;
  if (exponent > 0 && (!whole || exponent + 1 <= scientific)) {
    *to = first;
    std::memcpy(to + 1, prepared.tail, 16);
    if (whole) {
      std::memset(to + 17, '0', 5);  // at most so many follow, since more would be longer than an exponent
      return to + exponent + 1;
    }
    std::memmove(to + exponent + 2, to + exponent + 1, static_cast<std::size_t>(count - exponent - 1));
    to[exponent + 1] = '.';
    return to + count + 1;
  }
  to[0] = first;
  to[1] = '.';
  std::memcpy(to + 2, prepared.tail, 16);
  return write_exponent(to + (count > 1 ? count + 1 : 1), exponent);
}

char* write_number(char* first, double number) {
  PreparedNumber prepared;
  prepare_number(number, prepared);
  return write_number(first, prepared);
}

std::string number_text(double number) {
  char text[longest_number];
  return {text, write_number(text, number)};
}

std::size_t number_length(std::string_view text) {
  std::size_t at = !text.empty() && is_sign(text[0]) ? 1 : 0;
  const std::size_t whole = digits_at(text, at);
  at += whole;
  std::size_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    fraction = digits_at(text, at + 1);
    if (whole + fraction > 0) at += 1 + fraction;
  }
  if (whole + fraction == 0) return 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t sign = at + 1 < text.size() && is_sign(text[at + 1]) ? 1 : 0;
    const std::size_t exponent = digits_at(text, at + 1 + sign);
    if (exponent > 0) at += 1 + sign + exponent;
  }
  return at;
}

NumberRead read_number(std::string_view text) {
  if (text.empty() || number_length(text) != text.size()) return {};
  if (text[0] == '+') text.remove_prefix(1);
  NumberRead result;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result.number);
  if (error == std::errc::result_out_of_range) return {Reading::out_of_range, 0.0};
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  result.reading = Reading::number;
  return result;
}

}  // namespace seam::formats
