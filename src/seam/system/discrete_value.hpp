// Values that are no real numbers: integers, Booleans, enumerations, strings, binaries.
#pragma once

#include <cstdint>
#include <string>

namespace seam::system {

/// Passed on as it was sent: never extrapolated, filtered or corrected. Which of the two holds it follows from the
/// port.
struct DiscreteValue {
  std::int64_t integer = 0;  ///< integers (UInt64 by its bits), enumerations, Booleans as 0 and 1
  std::string text;          ///< strings, and binaries byte by byte

  bool operator==(const DiscreteValue&) const = default;
};

}  // namespace seam::system
