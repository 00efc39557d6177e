#include "seam/fmi/description/values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "seam/fmi/description/ports.hpp"

namespace seam::fmi {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<double> real_of(std::string_view text) {
  if (text == "INF" || text == "+INF") return std::numeric_limits<double>::infinity();
  if (text == "-INF") return -std::numeric_limits<double>::infinity();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  const bool plus = !text.empty() && text.front() == '+';
  if (plus) text.remove_prefix(1);
  // from_chars also reads "inf", "nan" and a second sign, which XML Schema does not know.
  const std::string_view digits = !text.empty() && text.front() == '-' ? text.substr(1) : text;
  if (digits.empty() || !(digits.front() == '.' || (digits.front() >= '0' && digits.front() <= '9')))
    return std::nullopt;
  if (digits.size() < text.size() && plus) return std::nullopt;
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> integer_of(Type type, std::string_view text) {
  if (type == Type::boolean || type == Type::clock) {
    if (text == "true" || text == "1") return 1;
    if (text == "false" || text == "0") return 0;
    return std::nullopt;
  }
  const system::WholeRange range = system::range_of(port_type(type));
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '+' || negative)) text.remove_prefix(1);
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!negative) return size <= range.highest ? std::optional(static_cast<std::int64_t>(size)) : std::nullopt;
  // -(2^63) has no positive counterpart: compare sizes, then negate by two's complement.
  if (size > static_cast<std::uint64_t>(-(range.lowest + 1)) + 1) return std::nullopt;
  return static_cast<std::int64_t>(0 - size);
}

}  // namespace

Store store_of(Type type) {
  switch (type) {
    case Type::float32:
    case Type::float64:
      return Store::reals;
    case Type::string:
    case Type::binary:
      return Store::texts;
    default:
      return Store::integers;
  }
}

std::size_t Values::size(Type type) const {
  switch (store_of(type)) {
    case Store::reals:
      return reals.size();
    case Store::integers:
      return integers.size();
    case Store::texts:
      return texts.size();
  }
  return 0;
}

std::optional<Values> parse_values(Type type, const std::vector<std::string>& texts, std::string& reason) {
  Values values;
  for (const std::string& text : texts) {
    const std::string_view bare = trimmed(text);
    bool understood = true;
    switch (store_of(type)) {
      case Store::reals: {
        const auto real = real_of(bare);
        const bool fits = type == Type::float64 || !real || !std::isfinite(*real) ||
                          std::abs(*real) <= std::numeric_limits<float>::max();
        understood = real.has_value() && fits;
        values.reals.push_back(real.value_or(0.0));
        break;
      }
      case Store::integers: {
        const auto integer = integer_of(type, bare);
        understood = integer.has_value();
        values.integers.push_back(integer.value_or(0));
        break;
      }
      case Store::texts:
        values.texts.push_back(text);
        break;
    }
    if (understood) continue;
    reason = fmt::format("\"{}\" is no {}", text, type_word(type, Version::fmi3));
    return std::nullopt;
  }
  return values;
}

std::optional<std::string> bytes_of(std::string_view digits) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    if (digit(digits[i]) < 0 || digit(digits[i + 1]) < 0) return std::nullopt;
    bytes += static_cast<char>(16 * digit(digits[i]) + digit(digits[i + 1]));
  }
  return bytes;
}

std::string type_word(Type type, Version version) {
  static const char* const fmi3[] = {"Float32", "Float64", "Int8",   "UInt8",       "Int16",
                                     "UInt16",  "Int32",   "UInt32", "Int64",       "UInt64",
                                     "Boolean", "String",  "Binary", "Enumeration", "Clock"};
  if (version == Version::fmi2 && type == Type::float64) return "Real";
  if (version == Version::fmi2 && type == Type::int32) return "Integer";
  return fmi3[static_cast<int>(type)];
}

}  // namespace seam::fmi
