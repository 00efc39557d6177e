// What a port may carry, and which ports may be joined.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "seam/system/discrete_value.hpp"

namespace seam::system {

struct Port;
enum class Precision;

/// Reals are signals in time; everything else travels as discrete values. Float32 counts as real.
enum class PortType {
  real,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean,
  enumeration,
  string,
  binary,
  clock  ///< its discrete value is the number of ticks so far
};

bool is_text(PortType type);  ///< a string or a binary
/// Whether the elements are counted: integers, enumerations and Booleans.
bool is_whole(PortType type);

/// "Int32", "Boolean", "Real".
const char* word(PortType type);

struct WholeRange {
  std::int64_t lowest = 0;
  std::uint64_t highest = 0;
};
/// What a port of a whole type may hold: 0 and 1 for a Boolean.
WholeRange range_of(PortType type);

/// The integer of a discrete value as a real number.
double real_of(const DiscreteValue& discrete_value, PortType type);
/// Whether that is the same number, to the last digit.
bool is_exact_real(const DiscreteValue& discrete_value, PortType type, Precision precision);
/// The discrete value as a port of another whole type takes it; none if it is out of that port's range.
std::optional<std::int64_t> whole_for(PortType sink, const DiscreteValue& discrete_value, PortType source);
/// A real number as a whole type holds it; none unless it is a whole number in range.
std::optional<std::int64_t> whole_for(PortType sink, double number);

/// As a person reads it: an integer, a string as it is, a binary in hexadecimal digits.
std::string text_of(const DiscreteValue& discrete_value, PortType type);

/// Where a value comes from: a signal known ahead of time is written by the user and may feed whole numbers too.
enum class SourceKind { live, known_signal };

/// Why nothing can travel from the one port to the other; empty if it can. Booleans widen to integers and these to
/// reals; reals are not rounded, and texts go to texts of their own kind.
std::string why_not(const Port& source, const Port& sink, SourceKind kind);

}  // namespace seam::system
