#include "seam/fmi/description/values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "seam/fmi/description/ports.hpp"
#include "seam/fmi/description/words.hpp"
#include "seam/formats/xml_values.hpp"

namespace seam::fmi {
namespace {

std::optional<std::int64_t> integer_of(Type type, std::string_view text) {
  if (type == Type::boolean || type == Type::clock) {
    const auto truth = formats::read_boolean(text);
    return truth ? std::optional<std::int64_t>(*truth) : std::nullopt;
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
  const Store store = store_of(type);
  return store == Store::reals ? reals.size() : store == Store::integers ? integers.size() : texts.size();
}

std::optional<Values> parse_values(Type type, const std::vector<std::string>& texts, std::string& reason) {
  Values values;
  for (const std::string& text : texts) {
    const std::string_view bare = formats::trimmed(text);
    bool understood = true;
    switch (store_of(type)) {
      case Store::reals: {
        const auto real = formats::read_double(bare);
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
  if (version != Version::fmi3 && type == Type::float64) return "Real";
  if (version != Version::fmi3 && type == Type::int32) return "Integer";
  return std::string(word(type));
}

}  // namespace seam::fmi
