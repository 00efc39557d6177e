// What happens to a number between connectors: unit conversion, then the transformation that is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "seam/ssp/parameters.hpp"

namespace seam::ssp {

/// A unit by its name, and its meaning if it is known.
struct Measure {
  std::string name;  ///< empty: none
  std::optional<system::Unit> meaning;
  system::Quantity quantity = system::Quantity::absolute;
};

/// value there = gain * value here + offset. None where the numbers are taken as they are: one side has no unit, both
/// are the same, or one is not known.
std::optional<system::Conversion> conversion_between(const Measure& here, const Measure& there);

/// Whether both are known and are not of one dimension.
bool clash(const Measure& here, const Measure& there);

/// The table of a map as whole numbers. Names of items are looked up in the enumerations of either end; null: not
/// known.
std::vector<system::MapEntry> read_table(const Transformation& transformation, const Enumeration* from,
                                         const Enumeration* to, base::Problems& problems);

/// First the one, then the other.
std::vector<system::MapEntry> composed(const std::vector<system::MapEntry>& first,
                                       const std::vector<system::MapEntry>& second);

/// A parameter on its way, in some unit.
struct Carried {
  system::Value value;
  Measure measure;
  std::optional<std::int64_t> item = {};  ///< the number behind the name of an enumeration's item
};

/// Converted into the unit of the next place and transformed.
void carry(Carried& parameter, const Measure& next, system::UnitConversion units, const Transformation& transformation,
           base::Problems& problems);

}  // namespace seam::ssp
