#include "seam/load/system_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "seam/base/names.hpp"
#include "seam/formats/number.hpp"
#include "seam/system/units.hpp"

namespace seam::load {
namespace {

using formats::Node;
using formats::Reading;
using system::Value;

struct Quantity {
  Reading reading = Reading::not_a_number;
  double number = 0.0;
  std::string unit;  ///< as written, known or not; empty: none
};

formats::NumberRead read_yaml_number(std::string_view text) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (text == ".nan" || text == ".NaN" || text == ".NAN") {
    return {Reading::number, std::numeric_limits<double>::quiet_NaN()};
  }
  const bool minus = text.substr(0, 1) == "-";
  const std::string_view bare = minus || text.substr(0, 1) == "+" ? text.substr(1) : text;
  if (bare == ".inf" || bare == ".Inf" || bare == ".INF") return {Reading::number, minus ? -infinity : infinity};
  return formats::read_number(text);
}

// A number, or a number and whatever follows it as its unit.
Quantity read_quantity(std::string_view text) {
  const formats::NumberRead whole = read_yaml_number(text);
  if (whole.reading != Reading::not_a_number) return {whole.reading, whole.number, {}};
  const std::size_t length = formats::number_length(text);
  if (length == 0) return {};
  const formats::NumberRead number = formats::read_number(text.substr(0, length));
  return {number.reading, number.number, std::string(trimmed(text.substr(length)))};
}

std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 60;
  if (text.size() <= longest) return text;
  std::string begin(text, 0, longest);
  return begin += "…";
}

void check_key(const std::string& key, const base::Location& where, std::string_view place, const Keys& keys,
               base::Problems& problems) {
  if (std::ranges::find(keys.known, key) != keys.known.end()) return;
  if (std::ranges::find(keys.not_yet, key) != keys.not_yet.end()) {
    problems.add(where, fmt::format("\"{}\" is not yet supported", key));
    return;
  }
  const std::string near = base::nearest(key, keys.known);
  problems.add(where, fmt::format("\"{}\" is not a key of {}", shortened(key), place),
               fmt::format("{}keys here: {}", near.empty() ? "" : fmt::format("did you mean \"{}\"?  ", near),
                           fmt::join(keys.known, ", ")));
}

/// For messages.
std::string shown(const Value& value) {
  if (value.kind == Value::Kind::list) return "a list";
  return value.kind == Value::Kind::map ? "a map" : "\"" + shortened(value.text) + "\"";
}

Value read_scalar(const Node& node, base::Problems& problems) {
  Value value;
  value.where = node.where;
  value.text = node.text;
  const Quantity quantity = read_quantity(node.text);
  const bool plain_number = quantity.unit.empty() && !node.quoted;
  if (plain_number && quantity.reading == Reading::out_of_range) {
    problems.add(node.where, fmt::format("{} is out of the range of a number", shortened(node.text)));
  }
  const bool with_unit = !quantity.unit.empty() && system::parse_unit(quantity.unit).has_value();
  if (quantity.reading == Reading::number && (plain_number || with_unit)) {
    value.kind = Value::Kind::number;
    value.number = quantity.number;
    value.unit = quantity.unit;
    return value;
  }
  const bool truth = node.text == "true" || node.text == "True" || node.text == "TRUE";
  const bool falsehood = node.text == "false" || node.text == "False" || node.text == "FALSE";
  value.kind = !node.quoted && (truth || falsehood) ? Value::Kind::boolean : Value::Kind::text;
  value.boolean = value.kind == Value::Kind::boolean && truth;
  return value;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

void check_keys(const Node& map, std::string_view place, const Keys& keys, base::Problems& problems) {
  for (const Node::Entry& entry : map.entries) check_key(entry.key, entry.key_where, place, keys, problems);
}

void check_keys(const Value& map, std::string_view place, const Keys& keys, base::Problems& problems) {
  for (const auto& [key, value] : map.entries) check_key(key, value.where, place, keys, problems);
}

const Value* find(const Value& map, std::string_view key) {
  for (const auto& [name, value] : map.entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

bool expect(const Node& node, Node::Kind kind, std::string_view what, base::Problems& problems) {
  const bool collection = kind == Node::Kind::map || kind == Node::Kind::sequence;
  if (node.kind == kind || (collection && node.kind == Node::Kind::null)) return true;
  std::string mend;
  if (kind == Node::Kind::map) mend = "write  key: value  lines below it, or {key: value}";
  if (kind == Node::Kind::sequence) mend = "write  - item  lines below it, or [item, item]";
  problems.add(
      node.where,
      fmt::format("{} must be {}, and this is {}", what, formats::kind_name(kind), formats::kind_name(node.kind)),
      std::move(mend));
  return false;
}

std::optional<double> read_finite(const Value& value, std::string_view what, base::Problems& problems) {
  if (value.kind == Value::Kind::number && value.unit.empty() && std::isfinite(value.number)) return value.number;
  const bool comma = value.text.find(',') != std::string::npos;
  problems.add(value.where, fmt::format("{} must be a finite number, and this is {}", what, shown(value)),
               comma ? "write the decimal point as a point" : "");
  return std::nullopt;
}

std::optional<double> read_finite(const Node& node, std::string_view what, base::Problems& problems) {
  if (!expect(node, Node::Kind::scalar, what, problems)) return std::nullopt;
  base::Problems out_of_range;
  return read_finite(read_scalar(node, out_of_range), what, problems);
}

std::optional<double> read_time(const Value& value, std::string_view what, base::Problems& problems) {
  const std::string mend = "write a number of seconds, or a time such as 1 ms";
  const bool is_number = value.kind == Value::Kind::number && std::isfinite(value.number);
  if (is_number && value.unit.empty()) return value.number;
  const std::string unit = is_number ? value.unit : read_quantity(value.text).unit;
  const std::optional<system::Unit> known = system::parse_unit(unit);
  if (is_number && known && system::same_dimension(*known, system::second))
    return system::convert(value.number, *known, system::second);
  problems.add(value.where,
               unit.empty() ? fmt::format("{} must be a time, and this is {}", what, shown(value))
                            : fmt::format("{} must be a time, and {} is not a time", what, shortened(unit)),
               mend);
  return std::nullopt;
}

std::optional<double> read_time(const Node& node, std::string_view what, base::Problems& problems) {
  if (!expect(node, Node::Kind::scalar, what, problems)) return std::nullopt;
  base::Problems out_of_range;
  return read_time(read_scalar(node, out_of_range), what, problems);
}

std::optional<std::string> read_text(const Node& node, std::string_view what, base::Problems& problems) {
  if (!expect(node, Node::Kind::scalar, what, problems)) return std::nullopt;
  if (!node.text.empty()) return node.text;
  problems.add(node.where, fmt::format("{} is an empty text", what));
  return std::nullopt;
}

std::optional<std::size_t> read_word(const Node& node, std::string_view what, const std::vector<std::string>& words,
                                     base::Problems& problems) {
  if (!expect(node, Node::Kind::scalar, what, problems)) return std::nullopt;
  const auto found = std::ranges::find(words, node.text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  problems.add(node.where, fmt::format("{} cannot be \"{}\"", what, shortened(node.text)),
               base::did_you_mean(node.text, words));
  return std::nullopt;
}

Value scalar_value(std::string text, const base::Location& where) {
  base::Problems out_of_range;
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = std::move(text);
  node.where = where;
  return read_scalar(node, out_of_range);
}

Value read_value(const Node& node, base::Problems& problems) {
  Value value;
  value.where = node.where;
  switch (node.kind) {
    case Node::Kind::null:
      problems.add(node.where, "a value is missing here", "write one, or remove the key");
      value.kind = Value::Kind::text;
      return value;
    case Node::Kind::scalar:
      return read_scalar(node, problems);
    case Node::Kind::sequence:
      value.kind = Value::Kind::list;
      for (const auto& item : node.items) value.items.push_back(read_value(*item, problems));
      return value;
    case Node::Kind::map:
      value.kind = Value::Kind::map;
      for (const auto& entry : node.entries) value.entries.emplace_back(entry.key, read_value(*entry.value, problems));
      return value;
  }
  return value;
}

std::vector<system::Setting> read_settings(const Node& map, std::string_view what, base::Problems& problems) {
  std::vector<system::Setting> settings;
  if (!expect(map, Node::Kind::map, what, problems)) return settings;
  for (const Node::Entry& entry : map.entries) {
    settings.push_back({entry.key, read_value(*entry.value, problems), entry.key_where});
  }
  return settings;
}

base::Location within(const Node& scalar, std::size_t offset, std::size_t length) {
  base::Location where = scalar.where;
  const auto line = static_cast<std::size_t>(where.line - 1), column = static_cast<std::size_t>(where.column - 1);
  const bool one_line = static_cast<std::size_t>(where.length) >= scalar.text.size();
  if (!one_line || !where.source || where.line < 1 || line >= where.source->lines.size()) return where;
  const std::string& text = where.source->lines[line];
  const bool quote = column < text.size() && (text[column] == '"' || text[column] == '\'');
  where.column += static_cast<int>(offset) + (quote ? 1 : 0);
  where.length = static_cast<int>(std::max<std::size_t>(1, length));
  return where;
}

std::optional<system::Via> read_via(const formats::Node& node, base::Problems& problems) {
  using system::Via;
  std::vector<std::string> words;
  for (const Via via : {Via::automatic, Via::derivatives, Via::intermediate, Via::micro_steps, Via::hold})
    words.emplace_back(system::word(via));
  const auto found = read_word(node, "via", words, problems);
  return found ? std::optional(static_cast<Via>(*found)) : std::nullopt;
}

std::optional<TimeFlag> read_time_flag(const std::string& flag, const std::string& text, base::Problems& problems) {
  const std::string bare(trimmed(text));
  const base::Location where{std::make_shared<base::Source>(base::Source{flag, {text}}), 1,
                             static_cast<int>(text.find(bare)) + 1, static_cast<int>(bare.size())};
  const auto seconds = read_time(scalar_value(bare, where), flag, problems);
  if (!seconds) return std::nullopt;
  return TimeFlag{*seconds, where};
}

}  // namespace seam::load
