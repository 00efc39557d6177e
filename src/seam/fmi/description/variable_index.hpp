// Variables by value reference (FMI 3, where it is unique) without a search through all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "seam/fmi/description/model_description.hpp"

namespace seam::fmi {

class VariableIndex {
 public:
  explicit VariableIndex(const ModelDescription& description);

  /// The first variable of that reference.
  std::optional<std::size_t> find(std::uint32_t value_reference) const;
  /// As start_elements() of the description.
  std::optional<std::uint64_t> start_elements(const Variable& variable) const;

 private:
  const ModelDescription& description_;
  std::unordered_map<std::uint32_t, std::size_t> indices_;
};

}  // namespace seam::fmi
