#include "seam/ssp/carry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/formats/number.hpp"
#include "seam/formats/xml_values.hpp"

namespace seam::ssp {
namespace {

using Kind = Transformation::Kind;
using system::MapEntry;
using system::Value;

std::optional<std::int64_t> read_entry(const std::string& text, Kind kind, const Enumeration* items) {
  if (kind == Kind::boolean_map) {
    const auto truth = formats::read_boolean(text);
    return truth ? std::optional<std::int64_t>(*truth ? 1 : 0) : std::nullopt;
  }
  if (kind == Kind::integer_map) return formats::read_integer(text);
  if (!items) return std::nullopt;
  for (const auto& [name, value] : items->items) {
    if (name == text) return value;
  }
  return std::nullopt;
}

std::int64_t looked_up(const std::vector<MapEntry>& map, std::int64_t number) {
  const auto found = std::ranges::find(map, number, &MapEntry::from);
  return found == map.end() ? number : found->to;
}

template <class Change>
void for_each_scalar(Value& value, Change change) {
  if (value.kind != Value::Kind::list) return change(value);
  for (Value& item : value.items) for_each_scalar(item, change);
}

void rescale(Value& value, double gain, double offset) {
  for_each_scalar(value, [&](Value& scalar) {
    if (scalar.kind != Value::Kind::number) return;
    scalar.number = gain * scalar.number + offset;
    scalar.text = formats::number_text(scalar.number);
  });
}

/// A written entry against a written value: whole numbers and truth values by what they mean.
bool is_meant(const std::string& entry, const Value& value, Kind kind) {
  if (kind == Kind::integer_map)
    return formats::read_integer(entry) && formats::read_integer(entry) == formats::read_integer(value.text);
  if (kind == Kind::boolean_map)
    return formats::read_boolean(entry) && formats::read_boolean(entry) == formats::read_boolean(value.text);
  return entry == value.text;
}

void map_value(Value& value, const Transformation& map) {
  for_each_scalar(value, [&](Value& scalar) {
    for (const auto& [from, to] : map.entries) {
      if (!is_meant(from, scalar, map.kind)) continue;
      scalar.text = to;
      if (map.kind == Kind::integer_map) scalar.number = static_cast<double>(formats::read_integer(to).value_or(0));
      if (map.kind == Kind::boolean_map) {
        scalar.boolean = formats::read_boolean(to).value_or(false);
        scalar.text = scalar.boolean ? "true" : "false";
      }
      return;
    }
  });
}

}  // namespace

std::optional<system::Conversion> conversion_between(const Measure& here, const Measure& there) {
  if (here.name.empty() || there.name.empty() || !here.meaning || !there.meaning || clash(here, there))
    return std::nullopt;
  // one name may mean two things in two files, but not two dimensions
  const bool one_name = here.name == there.name;
  if (one_name && system::same_meaning(*here.meaning, *there.meaning)) return std::nullopt;
  if (one_name && !system::same_dimension(*here.meaning, *there.meaning)) return std::nullopt;
  return system::conversion(*here.meaning, *there.meaning);
}

bool clash(const Measure& here, const Measure& there) {
  if (here.name.empty() || here.name == there.name || there.name.empty()) return false;
  return here.meaning && there.meaning && !system::same_dimension(*here.meaning, *there.meaning);
}

std::vector<MapEntry> read_table(const Transformation& transformation, const Enumeration* from, const Enumeration* to,
                                 base::Problems& problems) {
  std::vector<MapEntry> map;
  if (transformation.kind == Kind::none || transformation.kind == Kind::linear) return map;
  for (const auto& [source, target] : transformation.entries) {
    const auto key = read_entry(source, transformation.kind, from);
    const auto value = read_entry(target, transformation.kind, to);
    if (key && value) {
      map.push_back({*key, *value});
      continue;
    }
    const bool names = transformation.kind == Kind::enumeration_map;
    problems.add(transformation.where,
                 fmt::format("\"{}\" is no {}", key ? target : source,
                             names ? "item of the enumeration at this end"
                                   : (transformation.kind == Kind::boolean_map ? "truth value" : "whole number")));
  }
  return map;
}

std::vector<MapEntry> composed(const std::vector<MapEntry>& first, const std::vector<MapEntry>& second) {
  std::vector<MapEntry> both;
  for (const MapEntry& entry : first) both.push_back({entry.from, looked_up(second, entry.to)});
  for (const MapEntry& entry : second) {
    const bool known = std::ranges::any_of(first, [&](const MapEntry& e) { return e.from == entry.from; });
    if (!known) both.push_back(entry);
  }
  return both;
}

void carry(Carried& parameter, const Measure& next, system::UnitConversion units, const Transformation& transformation,
           base::Problems& problems) {
  if (units == system::UnitConversion::suppressed) {
    parameter.measure = next;
  } else if (clash(parameter.measure, next)) {
    problems.add(parameter.value.where, fmt::format("the value is in {}, and what it is for is in {}: these are not of "
                                                    "one dimension",
                                                    parameter.measure.name, next.name));
  } else if (const auto unit = conversion_between(parameter.measure, next)) {
    for_each_scalar(parameter.value, [&](Value& scalar) {
      if (scalar.kind != Value::Kind::number) return;
      system::Unit here = *parameter.measure.meaning, there = *next.meaning;
      if (next.quantity == system::Quantity::difference) here.offset = there.offset = 0.0;
      scalar.number = system::convert(scalar.number, here, there);
      scalar.text = formats::number_text(scalar.number);
    });
    parameter.measure = next;
  } else if (!next.name.empty()) {
    parameter.measure = next;
  }
  if (transformation.kind == Kind::linear) {
    rescale(parameter.value, transformation.factor, transformation.offset);
  } else if (transformation.kind != Kind::none) {
    map_value(parameter.value, transformation);
    parameter.item.reset();
  }
}

}  // namespace seam::ssp
