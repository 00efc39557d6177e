// What the parts of the description reader share. Inside fmi only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "seam/fmi/attributes.hpp"
#include "seam/fmi/model_description.hpp"
#include "seam/fmi/notes.hpp"
#include "seam/formats/xml.hpp"

namespace seam::fmi {

struct TypeDefinition {
  formats::XmlElement element;  ///< <Real …>, <Float64Type …>
  std::vector<EnumerationItem> items;
};

/// Small items (starts, dependencies, copies of enumeration items) that all lists together may have: a short text must
/// not fill the memory.
class Budget {
 public:
  bool take(std::size_t items) {
    if (items > left_) return false;
    left_ -= items;
    return true;
  }

 private:
  std::size_t left_ = std::size_t{1} << 24;
};

/// A description in the making.
struct Draft {
  ModelDescription description;
  Notes notes;
  Budget budget;
  std::unordered_map<std::string, TypeDefinition> types;
  /// FMI 2: where the variable of each position in the file went; none if it could not be read.
  std::vector<std::optional<std::size_t>> positions;
};

void read_units(const formats::XmlElement& root, Draft& draft);
void read_types(const formats::XmlElement& root, Draft& draft);
void read_variables(const formats::XmlElement& root, Draft& draft);
void read_structure(const formats::XmlElement& root, Draft& draft);

/// The value references and indices by which the file names variables: FMI 2 counts from 1.
class VariableNames {
 public:
  explicit VariableNames(const Draft& draft);
  std::optional<std::size_t> find(std::uint32_t written) const;
  /// "value reference 7", "index 7".
  std::string shown(std::uint32_t written) const;

 private:
  const Draft& draft_;
  std::unordered_map<std::uint32_t, std::size_t> by_reference_;  ///< FMI 3
};

}  // namespace seam::fmi
