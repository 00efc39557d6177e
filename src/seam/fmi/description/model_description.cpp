#include "seam/fmi/description/model_description.hpp"

#include <algorithm>

#include "seam/formats/xml_values.hpp"

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

VariableIndex::VariableIndex(const ModelDescription& description) : description_(description) {
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    indices_.emplace(description.variables[i].value_reference, i);
  }
}

std::optional<std::size_t> VariableIndex::find(std::uint32_t value_reference) const {
  const auto found = indices_.find(value_reference);
  return found == indices_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint64_t> VariableIndex::start_elements(const Variable& variable) const {
  std::uint64_t elements = 1;
  for (const Dimension& dimension : variable.dimensions) {
    std::optional<std::uint64_t> size = dimension.start;
    if (!size && dimension.value_reference) {
      const std::optional<std::size_t> sizer = find(*dimension.value_reference);
      if (!sizer || description_.variables[*sizer].start.size() != 1) return std::nullopt;
      size = formats::read_integer<std::uint64_t>(description_.variables[*sizer].start.front());
    }
    if (!size || *size > largest_array || (elements *= *size) > largest_array) return std::nullopt;
  }
  return elements;
}

namespace {

constexpr std::size_t longest_identifier = 200;
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_letter_or_digit(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

}  // namespace

bool is_identifier(const std::string& text) {
  return !text.empty() && text.size() <= longest_identifier && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), is_letter_or_digit);
}

bool can_name_a_library(const std::string& text) {
  const auto is_harmless = [](char c) { return is_letter_or_digit(c) || c == '-' || c == '.'; };
  return !text.empty() && text.size() <= longest_identifier && is_letter_or_digit(text.front()) &&
         std::all_of(text.begin(), text.end(), is_harmless);
}

}  // namespace seam::fmi
