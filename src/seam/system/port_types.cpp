#include "seam/system/port_types.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "seam/system/description.hpp"

namespace seam::system {
namespace {

using Int64 = std::numeric_limits<std::int64_t>;

/// FMI's default, which says nothing of what is inside.
bool says_nothing(const std::string& mime_type) { return mime_type.empty() || mime_type == "application/octet-stream"; }

bool is_large_unsigned(std::int64_t bits, PortType type) { return type == PortType::uint64 && bits < 0; }

}  // namespace

bool is_text(PortType type) { return type == PortType::string || type == PortType::binary; }

bool is_whole(PortType type) { return type != PortType::real && !is_text(type); }

const char* word(PortType type) {
  static constexpr const char* words[] = {"Real",  "Int8",   "UInt8",   "Int16",       "UInt16", "Int32",  "UInt32",
                                          "Int64", "UInt64", "Boolean", "Enumeration", "String", "Binary", "Clock"};
  return words[static_cast<int>(type)];
}

const char* word(EventMode mode) {
  static constexpr const char* words[] = {"auto", "always", "never"};
  return words[static_cast<int>(mode)];
}

const char* word(Via via) {
  static constexpr const char* words[] = {"auto", "derivatives", "intermediate", "micro-steps", "hold"};
  return words[static_cast<int>(via)];
}

WholeRange range_of(PortType type) {
  switch (type) {
    case PortType::int8:
      return {-128, 127};
    case PortType::uint8:
      return {0, 255};
    case PortType::int16:
      return {-32768, 32767};
    case PortType::uint16:
      return {0, 65535};
    case PortType::int32:
      return {std::numeric_limits<std::int32_t>::min(), 2147483647};
    case PortType::uint32:
      return {0, 4294967295};
    case PortType::uint64:
      return {0, std::numeric_limits<std::uint64_t>::max()};
    case PortType::boolean:
      return {0, 1};
    default:
      return {Int64::min(), static_cast<std::uint64_t>(Int64::max())};
  }
}

double real_of(const DiscreteValue& discrete_value, PortType type) {
  return is_large_unsigned(discrete_value.integer, type)
             ? static_cast<double>(static_cast<std::uint64_t>(discrete_value.integer))
             : static_cast<double>(discrete_value.integer);
}

bool is_exact_real(const DiscreteValue& discrete_value, PortType type, Precision precision) {
  const bool negative = discrete_value.integer < 0 && !is_large_unsigned(discrete_value.integer, type);
  auto digits = static_cast<std::uint64_t>(discrete_value.integer);
  if (negative) digits = ~digits + 1;
  while (digits != 0 && digits % 2 == 0) digits /= 2;  // powers of two cost no digits
  return digits >> (precision == Precision::single ? 24 : 53) == 0;
}

std::optional<std::int64_t> whole_for(PortType sink, const DiscreteValue& discrete_value, PortType source) {
  const WholeRange range = range_of(sink);
  const bool negative = discrete_value.integer < 0 && !is_large_unsigned(discrete_value.integer, source);
  const bool fits = negative ? discrete_value.integer >= range.lowest
                             : static_cast<std::uint64_t>(discrete_value.integer) <= range.highest;
  return fits ? std::optional(discrete_value.integer) : std::nullopt;
}

std::optional<std::int64_t> whole_for(PortType sink, double number) {
  constexpr double two_to_63 = 9223372036854775808.0;
  if (!(std::nearbyint(number) == number) || std::abs(number) >= 2.0 * two_to_63) return std::nullopt;
  if (number < -two_to_63) return std::nullopt;
  const bool large = number >= two_to_63;
  const DiscreteValue discrete_value{
      large ? static_cast<std::int64_t>(static_cast<std::uint64_t>(number)) : static_cast<std::int64_t>(number), {}};
  return whole_for(sink, discrete_value, large ? PortType::uint64 : PortType::int64);
}

std::string text_of(const DiscreteValue& discrete_value, PortType type) {
  if (type == PortType::string) return discrete_value.text;
  if (type == PortType::binary) {
    std::string digits;
    for (const char c : discrete_value.text) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return digits;
  }
  return is_large_unsigned(discrete_value.integer, type)
             ? std::to_string(static_cast<std::uint64_t>(discrete_value.integer))
             : std::to_string(discrete_value.integer);
}

std::string why_not(const Port& source, const Port& sink, SourceKind kind) {
  if (is_text(source.type) || is_text(sink.type)) {
    if (source.type != sink.type) return "their types cannot be converted";
    const bool alike = says_nothing(source.mime_type) || says_nothing(sink.mime_type) ||
                       source.mime_type == sink.mime_type || source.type == PortType::string;
    return alike ? "" : fmt::format("the one carries {}, the other takes {}", source.mime_type, sink.mime_type);
  }
  if ((source.type == PortType::clock) != (sink.type == PortType::clock))
    return "a clock ticks clocks, and nothing else ticks one";
  if (source.type == PortType::real && sink.type != PortType::real && kind == SourceKind::live)
    return "a real number is not rounded on its way; convert it in the sending subsystem";
  return "";
}

}  // namespace seam::system
