// The value of an FMU variable of any type, scalar or array.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "seam/fmi/description/model_description.hpp"

namespace seam::fmi {

/// Which of the lists holds the elements follows from the type.
struct Values {
  std::vector<double> reals;           ///< float32, float64
  std::vector<std::int64_t> integers;  ///< all integers (uint64 by its bits), Booleans as 0 and 1, enumerations
  std::vector<std::string> texts;      ///< strings, binaries

  std::size_t size(Type type) const;
};

enum class Store { reals, integers, texts };
Store store_of(Type type);

/// From texts as they stand in a description or a system file; none, with the reason, if one is no value of the type or
/// out of range.
std::optional<Values> parse_values(Type type, const std::vector<std::string>& texts, std::string& reason);

/// Bytes from pairs of hexadecimal digits, as FMI writes binaries; none if they are none.
std::optional<std::string> bytes_of(std::string_view digits);

/// What a person calls the type: Float64 and Int32, or Real and Integer for FMI 2.
std::string type_word(Type type, Version version);

}  // namespace seam::fmi
