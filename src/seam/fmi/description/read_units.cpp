#include <fmt/format.h>

#include <string>
#include <unordered_set>
#include <utility>

#include "seam/fmi/description/description_reader.hpp"

namespace seam::fmi {
namespace {

using formats::XmlElement;

bool is_usable_factor(double factor) { return factor != 0.0 && factor - factor == 0.0; }

void read_base(const XmlElement& element, Draft& draft, Unit& unit) {
  static const char* const symbols[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  const Attributes attributes(element, draft.notes);
  unit.has_base = true;
  for (std::size_t i = 0; i < 8; ++i) {
    const std::optional<int> exponent = attributes.integer<int>(symbols[i]);
    unit.exponents[i] = exponent.value_or(0);
    // An exponent that cannot be read leaves the dimension unknown; so does the factor.
    if (attributes.has(symbols[i]) && !exponent) unit.has_base = false;
  }
  const std::optional<double> factor = attributes.number("factor"), offset = attributes.number("offset");
  if ((attributes.has("factor") && !factor) || (attributes.has("offset") && !offset)) unit.has_base = false;
  if (factor && !is_usable_factor(*factor)) {
    draft.notes.error(element.line(), "the factor of a unit must be finite and not 0");
    unit.has_base = false;
  }
  if (!unit.has_base) return;
  unit.factor = factor.value_or(1.0);
  unit.offset = offset.value_or(0.0);
}

void read_displays(const XmlElement& element, Draft& draft, Unit& unit) {
  std::unordered_set<std::string> names;
  for (const XmlElement& child : element.children("DisplayUnit")) {
    const Attributes attributes(child, draft.notes);
    Unit::Display display;
    display.name = attributes.required_text("name");
    display.factor = attributes.number_or("factor", 1.0);
    display.offset = attributes.number_or("offset", 0.0);
    display.inverse = attributes.flag("inverse");
    if (!is_usable_factor(display.factor)) {
      draft.notes.error(child.line(), "the factor of a display unit must be finite and not 0");
      continue;
    }
    if (!names.insert(display.name).second) {
      draft.notes.error(child.line(), fmt::format("the display unit {} is defined twice", in_quotes(display.name)));
      continue;
    }
    unit.displays.push_back(std::move(display));
  }
}

std::vector<EnumerationItem> read_items(const XmlElement& element, Draft& draft) {
  std::vector<EnumerationItem> items;
  std::unordered_set<std::string> names;
  std::unordered_set<std::int64_t> values;
  for (const XmlElement& child : element.children("Item")) {
    const Attributes attributes(child, draft.notes);
    const std::string name = attributes.required_text("name");
    const std::optional<std::int64_t> value = attributes.integer<std::int64_t>("value");
    if (!value) {
      if (!attributes.has("value")) draft.notes.error(child.line(), "<Item> needs the attribute value");
      continue;
    }
    if (!names.insert(name).second)
      draft.notes.error(child.line(), fmt::format("the item {} is there twice", in_quotes(name)));
    if (!values.insert(*value).second)
      draft.notes.error(child.line(), fmt::format("the value {} is there twice", *value));
    items.push_back({name, *value});
  }
  if (items.empty()) draft.notes.error(element.line(), "an enumeration needs items");
  return items;
}

// FMI 1.0 writes the type below <Type>, FMI 2 below <SimpleType>, FMI 3 in its place.
std::optional<XmlElement> typed_element(const XmlElement& definition, Version version) {
  if (version == Version::fmi3) return definition;
  for (const std::string name : {"Real", "Integer", "Boolean", "String", "Enumeration"}) {
    if (const auto child = definition.child((version == Version::fmi1 ? name + "Type" : name).c_str())) return child;
  }
  return std::nullopt;
}

}  // namespace

void read_units(const XmlElement& root, Draft& draft) {
  if (draft.description.version == Version::fmi1) return read_units1(root, draft);
  const std::optional<XmlElement> list = root.child("UnitDefinitions");
  if (!list) return;
  std::unordered_set<std::string> names;
  for (const XmlElement& element : list->children("Unit")) {
    Unit unit;
    unit.name = Attributes(element, draft.notes).required_text("name");
    unit.line = element.line();
    if (!names.insert(unit.name).second) {
      draft.notes.error(
          unit.line, fmt::format("the unit {} is defined twice; the first definition is used", in_quotes(unit.name)));
      continue;
    }
    if (const auto base = element.child("BaseUnit")) read_base(*base, draft, unit);
    read_displays(element, draft, unit);
    draft.description.units.push_back(std::move(unit));
  }
}

void read_types(const XmlElement& root, Draft& draft) {
  const std::optional<XmlElement> list = root.child("TypeDefinitions");
  if (!list) return;
  for (const XmlElement& definition : list->children()) {
    const std::optional<XmlElement> typed = typed_element(definition, draft.description.version);
    const std::string name = Attributes(definition, draft.notes).required_text("name");
    if (!typed || name.empty()) continue;
    TypeDefinition type{*typed, {}, 0};
    const bool is_enumeration = typed->name() == "Enumeration" || typed->name() == "EnumerationType";
    if (is_enumeration)
      type.items = draft.description.version == Version::fmi1 ? read_items1(*typed, draft) : read_items(*typed, draft);
    for (const EnumerationItem& item : type.items)
      type.cost += Budget::item + item.name.size() / Budget::bytes_of_a_name;
    if (!draft.types.emplace(name, std::move(type)).second) {
      draft.notes.error(definition.line(),
                        fmt::format("the type {} is defined twice; the first definition is used", in_quotes(name)));
    }
  }
}

}  // namespace seam::fmi
