#include "seam/load/fmu_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/base/names.hpp"
#include "seam/formats/number.hpp"
#include "seam/system/units.hpp"

namespace seam::load {
namespace {

using fmi::Causality;
using fmi::Initial;
using fmi::Store;
using fmi::Type;
using fmi::Variability;
using fmi::Variable;
using system::Setting;
using system::Value;

bool may_be_set(const Variable& v) {
  if (v.variability == Variability::constant || v.causality == Causality::calculated_parameter ||
      v.causality == Causality::independent)
    return false;
  if (v.causality == Causality::parameter || v.causality == Causality::structural_parameter ||
      v.causality == Causality::input)
    return true;
  return v.initial == Initial::exact || v.initial == Initial::approx;
}

/// All scalars of a value, nested lists row by row.
void flatten(const Value& value, std::vector<const Value*>& scalars) {
  if (value.kind != Value::Kind::list) {
    scalars.push_back(&value);
    return;
  }
  for (const Value& item : value.items) flatten(item, scalars);
}

class Converter {
 public:
  Converter(const Variable& variable, base::Problems& problems) : variable_(variable), problems_(problems) {}

  /// Appends one element; a problem if it does not fit the variable.
  void add(const Value& value, fmi::Values& result) {
    switch (fmi::store_of(variable_.type)) {
      case Store::reals:
        return add_real(value, result);
      case Store::integers:
        return add_integer(value, result);
      case Store::texts:
        return add_text(value, result);
    }
  }

 private:
  void wrong(const Value& value, const std::string& expected) {
    problems_.add(value.where,
                  fmt::format("\"{}\" takes {}, and \"{}\" is none", variable_.name, expected, value.text));
  }

  /// A string as it is; a binary as pairs of hexadecimal digits, as FMI writes it.
  void add_text(const Value& value, fmi::Values& result) {
    if (variable_.type == Type::string) {
      result.texts.push_back(value.text);
      return;
    }
    auto bytes = fmi::bytes_of(value.text);
    if (!bytes) return wrong(value, "pairs of hexadecimal digits");
    result.texts.push_back(std::move(*bytes));
  }

  void add_real(const Value& value, fmi::Values& result) {
    if (value.kind != Value::Kind::number) return wrong(value, "a number");
    double number = value.number;
    if (!value.unit.empty()) {
      auto from = system::parse_unit(value.unit), to = system::parse_unit(variable_.unit);
      if (!from) {
        problems_.add(value.where, fmt::format("\"{}\" is no unit that is known", value.unit));
        return;
      }
      if (!to || !system::same_dimension(*from, *to)) {
        const std::string own = variable_.unit.empty() ? "has no unit" : "is in " + variable_.unit;
        problems_.add(value.where,
                      fmt::format("\"{}\" {}, and {} does not convert to that", variable_.name, own, value.unit),
                      "write the number in the variable's own unit, without one");
        return;
      }
      if (variable_.relative_quantity) from->offset = to->offset = 0.0;  // 5 degC warmer is 5 K warmer
      number = system::convert(number, *from, *to);
    }
    if (!std::isfinite(number)) return wrong(value, "a finite number");
    check_range(value, number);
    result.reals.push_back(number);
  }

  void add_integer(const Value& value, fmi::Values& result) {
    if (variable_.type == Type::boolean) {
      if (value.kind != Value::Kind::boolean) return wrong(value, "true or false");
      result.integers.push_back(value.boolean ? 1 : 0);
      return;
    }
    if (variable_.type == Type::enumeration && value.kind == Value::Kind::text) {
      std::vector<std::string> names;
      for (const fmi::EnumerationItem& item : variable_.items) {
        names.push_back(item.name);
        if (item.name == value.text) {
          result.integers.push_back(item.value);
          return;
        }
      }
      problems_.add(value.where, fmt::format("\"{}\" cannot be \"{}\"", variable_.name, value.text),
                    base::did_you_mean(value.text, names));
      return;
    }
    std::string reason;
    const auto parsed = fmi::parse_values(variable_.type, {value.text}, reason);
    if (value.kind != Value::Kind::number || !value.unit.empty() || !parsed)
      return wrong(value, "a whole number in the range of its type");
    const std::int64_t number = parsed->integers[0];
    if (variable_.type == Type::enumeration &&
        std::ranges::none_of(variable_.items, [&](const auto& item) { return item.value == number; })) {
      return wrong(value, "one of its items");
    }
    check_range(value, static_cast<double>(number));
    result.integers.push_back(number);
  }

  void check_range(const Value& value, double number) {
    if (variable_.min && number < *variable_.min) {
      problems_.add(value.where, fmt::format("\"{}\" is at least {}", variable_.name, *variable_.min));
    }
    if (variable_.max && number > *variable_.max) {
      problems_.add(value.where, fmt::format("\"{}\" is at most {}", variable_.name, *variable_.max));
    }
  }

  const Variable& variable_;
  base::Problems& problems_;
};

const Variable* find_variable(const Setting& setting, const fmi::ModelDescription& description,
                              base::Problems& problems) {
  const Variable* variable = description.find(setting.name);
  if (!variable) {
    std::vector<std::string> names;
    for (const Variable& v : description.variables) {
      if (may_be_set(v)) names.push_back(v.name);
    }
    problems.add(setting.where, fmt::format("the FMU has no variable \"{}\"", setting.name),
                 base::did_you_mean(setting.name, names));
    return nullptr;
  }
  if (may_be_set(*variable)) return variable;
  problems.add(setting.where, fmt::format("\"{}\" cannot be set: the FMU computes it", setting.name));
  return nullptr;
}

/// A size that makes an array larger than the memory is a mistake.
void check_sizes(const Setting& setting, const fmi::ModelDescription& description, const fmi::Structure& structure,
                 base::Problems& problems) {
  for (const Variable& v : description.variables) {
    if (fmi::element_count(description, v, structure)) continue;
    problems.add(setting.value.where, fmt::format("\"{}\" makes \"{}\" too large an array", setting.name, v.name));
    return;
  }
}

}  // namespace

FmuSettings read_fmu_settings(const system::Subsystem& subsystem, const fmi::ModelDescription& description,
                              base::Problems& problems) {
  FmuSettings settings;
  fmi::Structure structure;
  // Structural parameters first: they decide how many elements the others have.
  for (const bool structural : {true, false}) {
    for (const Setting& setting : subsystem.set) {
      const Variable* known = description.find(setting.name);
      if ((known && known->causality == Causality::structural_parameter) != structural) continue;
      const Variable* variable = find_variable(setting, description, problems);
      if (!variable) continue;
      std::vector<const Value*> scalars;
      flatten(setting.value, scalars);
      const auto elements = fmi::element_count(description, *variable, structure);
      if (elements && scalars.size() != *elements) {
        problems.add(setting.value.where,
                     fmt::format("\"{}\" has {} elements, and {} are given", setting.name, *elements, scalars.size()));
        continue;
      }
      const std::size_t before = problems.size();
      Converter converter(*variable, problems);
      fmi::Values values;
      for (const Value* scalar : scalars) converter.add(*scalar, values);
      if (problems.size() > before) continue;
      if (structural) {
        structure[variable->value_reference] = static_cast<std::uint64_t>(values.integers.at(0));
        check_sizes(setting, description, structure, problems);
      }
      settings.emplace_back(variable, std::move(values));
    }
  }
  return settings;
}

fmi::Values read_fmu_element(const fmi::Variable& variable, const system::Value& value, base::Problems& problems) {
  fmi::Values result;
  Converter(variable, problems).add(value, result);
  return result;
}

fmi::Structure structure_of(const FmuSettings& settings) {
  fmi::Structure structure;
  for (const auto& [variable, values] : settings) {
    if (variable->causality == Causality::structural_parameter)
      structure[variable->value_reference] = static_cast<std::uint64_t>(values.integers.at(0));
  }
  return structure;
}

}  // namespace seam::load
