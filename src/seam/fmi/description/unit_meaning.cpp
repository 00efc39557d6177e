#include "seam/fmi/description/unit_meaning.hpp"

#include <algorithm>
#include <iterator>

namespace seam::fmi {

std::optional<system::Unit> defined_unit(const ModelDescription& description, const std::string& name) {
  const auto found = std::find_if(description.units.begin(), description.units.end(),
                                  [&](const Unit& unit) { return unit.name == name && unit.has_base; });
  if (name.empty() || found == description.units.end()) return std::nullopt;
  system::Unit unit;
  std::copy(std::begin(found->exponents), std::end(found->exponents), unit.exponents.begin());
  unit.factor = found->factor;
  unit.offset = found->offset;
  const auto usual = system::parse_unit(name);
  return usual && system::same_meaning(*usual, unit) ? std::nullopt : std::optional(unit);
}

std::optional<system::Unit> unit_meaning(const ModelDescription& description, const std::string& name) {
  const auto defined = defined_unit(description, name);
  return defined ? defined : system::parse_unit(name);
}

}  // namespace seam::fmi
