#include "seam/fmi/description/variable_index.hpp"

#include "seam/formats/xml_values.hpp"

namespace seam::fmi {

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

}  // namespace seam::fmi
