#include "seam/ssp/write_parameters.hpp"

#include "seam/fmi/description/ports.hpp"
#include "seam/formats/number.hpp"

namespace seam::ssp {
namespace {

using fmi::Type;
using system::Value;

/// Sizes of lists in lists, and all scalars row by row.
void flatten(const Value& value, std::size_t depth, std::vector<std::size_t>& sizes,
             std::vector<const Value*>& scalars) {
  if (value.kind != Value::Kind::list) {
    scalars.push_back(&value);
    return;
  }
  if (sizes.size() == depth) sizes.push_back(value.items.size());
  for (const Value& item : value.items) flatten(item, depth + 1, sizes, scalars);
}

std::string type_name(const fmi::Variable& variable, const Value& scalar) {
  switch (variable.type) {
    case Type::float32:
    case Type::float64:
      return "Real";
    case Type::boolean:
      return "Boolean";
    case Type::string:
      return "String";
    case Type::binary:
      return "Binary";
    case Type::enumeration:
      return scalar.kind == Value::Kind::text ? "Enumeration" : "Integer";
    case Type::int32:
      return "Integer";
    default:
      return system::word(fmi::port_type(variable.type));
  }
}

bool is_of_version_2(const std::string& type) {
  return type != "Real" && type != "Integer" && type != "Boolean" && type != "String" && type != "Enumeration";
}

/// The digits as they were written.
std::string number_part(const Value& scalar) {
  if (scalar.kind != Value::Kind::number || scalar.unit.empty()) return scalar.text;
  const std::size_t length = formats::number_length(scalar.text);
  return length > 0 ? scalar.text.substr(0, length) : formats::number_text(scalar.number);
}

bool in_one_unit(const std::vector<const Value*>& scalars) {
  for (const Value* scalar : scalars) {
    if (scalar->unit != scalars.front()->unit) return false;
  }
  return true;
}

/// Lists whose elements have different units are written in the unit of the variable.
std::string real_text(const Value& scalar, const fmi::Variable& variable) {
  const auto from = system::parse_unit(scalar.unit), to = system::parse_unit(variable.unit);
  if (scalar.unit.empty() || !from || !to) return scalar.text;
  return formats::number_text(system::convert(scalar.number, *from, *to));
}

void write_parameter(const system::Setting& setting, const fmi::Variable& variable, XmlText& xml,
                     std::set<std::string>& units) {
  std::vector<std::size_t> sizes;
  std::vector<const Value*> scalars;
  flatten(setting.value, 0, sizes, scalars);
  if (scalars.empty()) return;
  const std::string type = type_name(variable, *scalars.front());
  xml.open("ssv:Parameter", {{"name", setting.name}});
  const bool real = type == "Real",
             by_elements = !sizes.empty() && (type == "String" || type == "Binary" || type == "Enumeration");
  const std::string unit = real && in_one_unit(scalars) ? scalars.front()->unit : "";
  if (!unit.empty()) units.insert(unit);
  if (by_elements) {
    xml.open("ssv:" + type);
    for (const Value* scalar : scalars) xml.single("ssv:Value", {{"value", scalar->text}});
    xml.close();
  } else {
    std::string list;
    for (const Value* scalar : scalars) {
      if (!list.empty()) list += " ";
      list += unit.empty() && real ? real_text(*scalar, variable) : number_part(*scalar);
    }
    xml.single("ssv:" + type, {{"value", list}, {"unit", unit}});
  }
  for (const std::size_t size : sizes) xml.single("ssc:Dimension", {{"size", std::to_string(size)}});
  xml.close();
}

/// Line ends as references: in an attribute they would be read as blanks.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\n':
        result += "&#10;";
        break;
      case '\r':
        result += "&#13;";
        break;
      case '\t':
        result += "&#9;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace

Version version_needed(const system::Subsystem& subsystem, const fmi::ModelDescription& fmu) {
  for (const system::Setting& setting : subsystem.set) {
    const fmi::Variable* variable = fmu.find(setting.name);
    if (!variable) continue;
    if (setting.value.kind == Value::Kind::list || is_of_version_2(type_name(*variable, setting.value)))
      return Version::ssp2;
  }
  return Version::ssp1;
}

void write_unit(const std::string& name, const system::Unit& unit, XmlText& xml) {
  static constexpr const char* symbols[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  XmlText::Attributes base;
  for (std::size_t i = 0; i < unit.exponents.size(); ++i) {
    if (unit.exponents[i] != 0) base.emplace_back(symbols[i], std::to_string(unit.exponents[i]));
  }
  if (unit.factor != 1.0) base.emplace_back("factor", formats::number_text(unit.factor));
  if (unit.offset != 0.0) base.emplace_back("offset", formats::number_text(unit.offset));
  xml.open("ssc:Unit", {{"name", name}});
  xml.single("ssc:BaseUnit", base);
  xml.close();
}

void write_parameter_set(const system::Subsystem& subsystem, const fmi::ModelDescription& fmu, XmlText& xml) {
  const bool second = version_needed(subsystem, fmu) == Version::ssp2;
  std::set<std::string> units;
  xml.open("ssv:ParameterSet", {{"version", second ? "2.0" : "1.0"}, {"name", subsystem.name}});
  xml.open("ssv:Parameters");
  for (const system::Setting& setting : subsystem.set) {
    if (const fmi::Variable* variable = fmu.find(setting.name)) write_parameter(setting, *variable, xml, units);
  }
  xml.close();
  if (!units.empty()) {
    xml.open("ssv:Units");
    for (const std::string& name : units) {
      if (const auto unit = system::parse_unit(name)) write_unit(name, *unit, xml);
    }
    xml.close();
  }
  xml.close();
}

void XmlText::begin(std::string_view name, const Attributes& attributes) {
  text_ += std::string(2 * names_.size(), ' ') + "<" + std::string(name);
  for (const auto& [key, value] : attributes) {
    if (!value.empty() || key == "value") text_ += " " + key + "=\"" + escaped(value) + "\"";
  }
}

void XmlText::open(std::string_view name, const Attributes& attributes) {
  begin(name, attributes);
  text_ += ">\n";
  names_.emplace_back(name);
  last_opened_ = text_.size();
}

void XmlText::close() {
  const std::string name = names_.back();
  names_.pop_back();
  if (text_.size() == last_opened_) {  // nothing is in it
    text_.replace(text_.size() - 2, 2, "/>\n");
    return;
  }
  text_ += std::string(2 * names_.size(), ' ') + "</" + name + ">\n";
}

void XmlText::single(std::string_view name, const Attributes& attributes) {
  begin(name, attributes);
  text_ += "/>\n";
}

}  // namespace seam::ssp
