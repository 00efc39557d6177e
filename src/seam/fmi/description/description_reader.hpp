// What the parts of the description reader share. Inside fmi only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "seam/fmi/description/attributes.hpp"
#include "seam/fmi/description/model_description.hpp"
#include "seam/fmi/description/notes.hpp"
#include "seam/formats/xml.hpp"

namespace seam::fmi {

struct TypeDefinition {
  formats::XmlElement element;  ///< <Real …>, <Float64Type …>
  std::vector<EnumerationItem> items;
  std::size_t cost = 0;  ///< of a copy of the items, for the Budget
};

/// What all lists of a description together may cost, here and where they are shown, for a short text must not fill the
/// memory: a dependency 1, a start value 4, a copy of an enumeration item 16 and its name.
class Budget {
 public:
  static constexpr std::size_t dependency = 1, start = 4, item = 16, bytes_of_a_name = 8;

  bool take(std::size_t cost) {
    if (cost > left_) return false;
    left_ -= cost;
    return true;
  }

 private:
  std::size_t left_ = std::size_t{1} << 23;
};

/// A description in the making.
struct Draft {
  ModelDescription description;
  Notes notes;
  Budget budget;
  std::unordered_map<std::string, TypeDefinition> types;
  /// FMI 1.0 and 2: where the variable of each position in the file went; none if it could not be read.
  std::vector<std::optional<std::size_t>> positions;
};

void read_units(const formats::XmlElement& root, Draft& draft);
void read_types(const formats::XmlElement& root, Draft& draft);
void read_variables(const formats::XmlElement& root, Draft& draft);
void read_structure(const formats::XmlElement& root, Draft& draft);

/// The same for FMI 1.0; what it writes as FMI 2 does is read there.
void read_interface1(const formats::XmlElement& root, Draft& draft, base::Problems& problems);
void read_units1(const formats::XmlElement& root, Draft& draft);
std::vector<EnumerationItem> read_items1(const formats::XmlElement& element, Draft& draft);
/// Causality, variability and `initial` in the words of FMI 2.
void read_kind1(const formats::XmlElement& element, const formats::XmlElement& typed, Variable& variable, Draft& draft);
void read_structure1(const formats::XmlElement& root, Draft& draft);

/// The value references and indices by which the file names variables: FMI 2 counts from 1.
class VariableNames {
 public:
  explicit VariableNames(const Draft& draft) : draft_(draft), by_reference_(draft.description) {}
  std::optional<std::size_t> find(std::uint32_t written) const;
  /// "value reference 7", "index 7".
  std::string shown(std::uint32_t written) const;

 private:
  const Draft& draft_;
  VariableIndex by_reference_;  ///< FMI 3
};

}  // namespace seam::fmi
