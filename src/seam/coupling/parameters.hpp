// Parameters of a method as the user wrote them, checked against what its catalog entry declares.
#pragma once

#include "seam/coupling/catalog.hpp"

namespace seam::coupling {

/// The entry of that name; a problem, and nullptr, if there is none.
const Entry* look_up(Part part, const system::MethodRequest& request, base::Problems& problems);

/// Numbers in the order of the entry, then further ones in the order in which they were written.
Parameters read_parameters(const Entry& entry, const system::MethodRequest& request, base::Problems& problems);

/// Whether a parameter was written with its default, which says nothing new.
bool is_default(const Entry& entry, const system::Setting& given);

/// ",name=value" for each that differs from its default.
std::string changed_choices(const Entry& entry, const std::vector<std::pair<std::string, std::string>>& choices);
std::string changed_numbers(const Entry& entry, const std::vector<std::pair<std::string, double>>& numbers);

template <class Item>
auto named(const std::vector<Item>& items, std::string_view name) {
  return std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
}

/// The parameter of a corrector that names connections instead of a value.
inline constexpr const char* over_word = "over";

}  // namespace seam::coupling
