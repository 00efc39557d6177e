#include "seam/fmi/description/model_description.hpp"

#include <algorithm>

#include "seam/fmi/description/variable_index.hpp"

namespace seam::fmi {

const Variable* ModelDescription::find(const std::string& name) const {
  const auto named = std::find_if(variables.begin(), variables.end(), [&](const Variable& variable) {
    const auto& aliases = variable.aliases;
    return variable.name == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end();
  });
  return named == variables.end() ? nullptr : &*named;
}

std::optional<std::uint64_t> start_elements(const ModelDescription& description, const Variable& variable) {
  if (variable.dimensions.empty()) return 1;
  return VariableIndex(description).start_elements(variable);
}

bool is_identifier(const std::string& text) {
  constexpr std::size_t longest = 200;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_letter_or_digit = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && text.size() <= longest && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), is_letter_or_digit);
}

}  // namespace seam::fmi
