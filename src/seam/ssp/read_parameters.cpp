#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "seam/formats/xml_values.hpp"
#include "seam/ssp/parameters.hpp"

namespace seam::ssp {
namespace {

using formats::XmlElement;
using system::Value;

std::optional<system::UnitDefinition> read_unit(const XmlElement& element, base::Problems& problems) {
  static constexpr const char* symbols[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  const auto base = child(element, "BaseUnit");
  system::UnitDefinition definition{required(element, "name", problems), {}};
  if (!base) return std::nullopt;
  for (std::size_t i = 0; i < std::size(symbols); ++i) {
    const auto exponent = number(*base, symbols[i], problems).value_or(0.0);
    if (exponent != std::floor(exponent) || std::abs(exponent) > 99.0) {
      problems.mended(base->where(), "units with an exponent that is no whole number, as units of unknown meaning",
                      definition.name);
      return std::nullopt;
    }
    definition.unit.exponents[i] = static_cast<int>(exponent);
  }
  definition.unit.factor = number(*base, "factor", problems).value_or(1.0);
  definition.unit.offset = number(*base, "offset", problems).value_or(0.0);
  if (definition.unit.factor != 0.0) return definition;
  problems.add(base->where(), fmt::format("the factor of the unit \"{}\" cannot be 0", definition.name));
  return std::nullopt;
}

Enumeration read_enumeration(const XmlElement& element, base::Problems& problems) {
  Enumeration enumeration{required(element, "name", problems), {}};
  for (const XmlElement& item : children(element, "Item")) {
    const auto value = formats::read_integer(text(item, "value"));
    if (!value) problems.add(item.where(), "the value of an item must be a whole number");
    enumeration.items.emplace_back(text(item, "name"), value.value_or(0));
  }
  return enumeration;
}

bool is_real(std::string_view type) { return type == "Real" || type == "Float64" || type == "Float32"; }
bool is_text(std::string_view type) { return type == "String" || type == "Enumeration" || type == "Binary"; }
bool is_integer(std::string_view type) {
  return type == "Integer" || type.substr(0, 3) == "Int" || type.substr(0, 4) == "UInt";
}

/// One element of a value; a problem at `where` if the text is not of the type.
Value read_scalar(const std::string& written, std::string_view type, const base::Location& where,
                  base::Problems& problems) {
  Value value;
  value.where = where;
  value.text = written;
  value.kind = Value::Kind::text;
  if (type == "Boolean") {
    const auto truth = formats::read_boolean(written);
    if (!truth) problems.add(where, fmt::format("\"{}\" is neither true nor false", written));
    value.kind = Value::Kind::boolean;
    value.boolean = truth.value_or(false);
    value.text = value.boolean ? "true" : "false";
  } else if (!is_text(type)) {
    const auto number = formats::read_double(written);
    if (!number) problems.add(where, fmt::format("\"{}\" is no number", written));
    value.kind = Value::Kind::number;
    value.number = number.value_or(0.0);
  }
  return value;
}

std::vector<std::string> written_values(const XmlElement& type, base::Problems& problems) {
  const auto attribute = type.attribute("value");
  const auto elements = children(type, "Value");
  const bool text_type = is_text(local_name(type));
  if (attribute && !elements.empty())
    problems.add(type.where(), "the value is given twice: by the attribute and by <Value>");
  if (attribute && text_type) return {std::string(*attribute)};
  if (attribute) {
    const auto items = formats::list_items(*attribute);
    return {items.begin(), items.end()};
  }
  std::vector<std::string> values;
  for (const XmlElement& element : elements) values.push_back(text(element, "value"));
  if (values.empty()) problems.add(type.where(), fmt::format("<{}> needs the attribute value", local_name(type)));
  return values;
}

std::optional<XmlElement> type_of(const XmlElement& parameter) {
  for (const XmlElement& each : parameter.children()) {
    const std::string_view name = local_name(each);
    if (is_real(name) || is_text(name) || is_integer(name) || name == "Boolean") return each;
  }
  return std::nullopt;
}

/// Values row by row as lists in lists.
Value nested(const std::vector<Value>& values, std::size_t& next, const std::vector<std::size_t>& sizes,
             std::size_t depth) {
  if (depth == sizes.size()) return values[next++];
  Value list;
  list.kind = Value::Kind::list;
  list.where = values.front().where;
  for (std::size_t i = 0; i < sizes[depth]; ++i) list.items.push_back(nested(values, next, sizes, depth + 1));
  return list;
}

/// None after a problem: as many values as the dimensions say.
std::optional<Value> shaped(const XmlElement& parameter, const std::vector<Value>& values, base::Problems& problems) {
  std::vector<std::size_t> sizes;
  std::size_t product = 1;
  for (const XmlElement& dimension : children(parameter, "Dimension")) {
    const auto size = formats::read_integer(text(dimension, "size"));
    const bool usable = size && *size >= 1 && static_cast<std::size_t>(*size) <= values.size();
    if (!usable) product = 0;
    sizes.push_back(usable ? static_cast<std::size_t>(*size) : 0);
    if (product > 0 && sizes.back() > 0 && product <= values.size()) product *= sizes.back();
  }
  if (product == values.size()) {
    std::size_t next = 0;
    return nested(values, next, sizes, 0);
  }
  problems.add(parameter.where(), fmt::format("\"{}\" has {} values, which its dimensions do not fit",
                                              text(parameter, "name"), values.size()));
  return std::nullopt;
}

std::optional<Parameter> read_parameter(const XmlElement& element, base::Problems& problems) {
  Parameter parameter;
  parameter.name = required(element, "name", problems);
  parameter.where = element.where();
  const auto type = type_of(element);
  if (!type) {
    problems.add(element.where(), fmt::format("the parameter \"{}\" has no value", parameter.name),
                 "give it one of Real, Integer, Boolean, String, Enumeration, or a type of SSP 2.0");
    return std::nullopt;
  }
  const std::vector<std::string> written = written_values(*type, problems);
  std::vector<Value> values;
  for (const std::string& each : written)
    values.push_back(read_scalar(each, local_name(*type), type->where(), problems));
  if (values.empty()) return std::nullopt;
  const auto value = shaped(element, values, problems);
  if (!value) return std::nullopt;
  parameter.value = *value;
  if (is_real(local_name(*type))) parameter.unit = text(*type, "unit");
  if (local_name(*type) == "Enumeration") parameter.enumeration = text(*type, "name");
  return parameter;
}

}  // namespace

std::optional<system::Unit> Definitions::unit(const std::string& name) const {
  for (const system::UnitDefinition& definition : units) {
    if (definition.name == name) return definition.unit;
  }
  return system::parse_unit(name);
}

const Enumeration* Definitions::enumeration(const std::string& name) const {
  const auto found = std::ranges::find(enumerations, name, &Enumeration::name);
  return found == enumerations.end() ? nullptr : &*found;
}

Definitions read_definitions(const XmlElement& root, base::Problems& problems) {
  Definitions definitions;
  if (const auto units = child(root, "Units")) {
    for (const XmlElement& element : children(*units, "Unit")) {
      auto unit = read_unit(element, problems);
      if (!unit) continue;
      const auto usual = system::parse_unit(unit->name);  // with all its digits, which the file may not have
      if (!usual || !system::same_meaning(*usual, unit->unit)) definitions.units.push_back(std::move(*unit));
    }
  }
  if (const auto enumerations = child(root, "Enumerations")) {
    for (const XmlElement& element : children(*enumerations, "Enumeration"))
      definitions.enumerations.push_back(read_enumeration(element, problems));
  }
  return definitions;
}

Transformation read_transformation(const XmlElement& element, base::Problems& problems) {
  using Kind = Transformation::Kind;
  static const std::pair<const char*, Kind> maps[] = {{"BooleanMappingTransformation", Kind::boolean_map},
                                                      {"IntegerMappingTransformation", Kind::integer_map},
                                                      {"EnumerationMappingTransformation", Kind::enumeration_map}};
  Transformation transformation;
  transformation.where = element.where();
  if (const auto linear = child(element, "LinearTransformation")) {
    transformation.kind = Kind::linear;
    transformation.factor = number(*linear, "factor", problems).value_or(1.0);
    transformation.offset = number(*linear, "offset", problems).value_or(0.0);
    transformation.where = linear->where();
  }
  for (const auto& [name, kind] : maps) {
    const auto map = child(element, name);
    if (!map) continue;
    transformation.kind = kind;
    transformation.where = map->where();
    std::set<std::string> sources;
    for (const XmlElement& entry : children(*map, "MapEntry")) {
      transformation.entries.emplace_back(text(entry, "source"), text(entry, "target"));
      if (!sources.insert(text(entry, "source")).second)
        problems.add(entry.where(), fmt::format("\"{}\" is mapped twice", text(entry, "source")));
    }
  }
  return transformation;
}

ParameterSet read_parameter_set(const XmlElement& root, base::Problems& problems) {
  ParameterSet set;
  set.definitions = read_definitions(root, problems);
  const auto list = child(root, "Parameters");
  if (!list) return set;
  std::map<std::string, std::size_t> places;
  for (const XmlElement& element : children(*list, "Parameter")) {
    auto parameter = read_parameter(element, problems);
    if (!parameter) continue;
    const auto [place, is_new] = places.emplace(parameter->name, set.parameters.size());
    if (is_new) {
      set.parameters.push_back(std::move(*parameter));
      continue;
    }
    const Parameter& first = set.parameters[place->second];
    if (first.value.text == parameter->value.text && first.unit == parameter->unit) {
      problems.mended(parameter->where, "parameters that are there twice with one value", parameter->name);
    } else {
      problems.add(parameter->where, fmt::format("the parameter \"{}\" is there twice, with another value in line {}",
                                                 parameter->name, first.where.line));
    }
  }
  return set;
}

ParameterMapping read_parameter_mapping(const XmlElement& root, base::Problems& problems) {
  ParameterMapping mapping;
  std::set<std::string> targets;
  for (const XmlElement& element : children(root, "MappingEntry")) {
    MappingEntry entry;
    if (element.attribute("source") && text(element, "source").empty()) {  // a template of OMSimulator
      problems.mended(element.where(), "mapping entries with source=\"\" left out");
      continue;
    }
    entry.source = required(element, "source", problems);
    entry.target = required(element, "target", problems);
    entry.where = element.where();
    if (flag(element, "suppressUnitConversion", problems)) entry.units = system::UnitConversion::suppressed;
    entry.transformation = read_transformation(element, problems);
    if (!targets.insert(entry.target).second)
      problems.add(entry.where, fmt::format("two parameters are mapped to \"{}\"", entry.target));
    mapping.push_back(std::move(entry));
  }
  return mapping;
}

}  // namespace seam::ssp
