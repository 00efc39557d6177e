#include "seam/formats/number.hpp"

#include <fmt/compile.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>

namespace seam::formats {
namespace {

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  return end - at;
}

bool is_sign(char c) { return c == '+' || c == '-'; }

}  // namespace

char* write_number(char* first, double number) {
  // one writing for all NaNs, whatever their sign bit
  return fmt::format_to(first, FMT_COMPILE("{}"), std::isnan(number) ? std::abs(number) : number);
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

bool is_rounded_whole(std::string_view text, double number) {
  constexpr double held = 9007199254740992.0;  // 2^53
  if (!(std::abs(number) >= held)) return false;
  const std::size_t sign = is_sign(text[0]) ? 1 : 0;
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data() + sign, text.data() + text.size(), magnitude);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  // 2^64, to which the largest ones are rounded, is no whole number of 64 bits
  return std::abs(number) >= 18446744073709551616.0 || static_cast<std::uint64_t>(std::abs(number)) != magnitude;
}

}  // namespace seam::formats
