#include "seam/study/value_template.hpp"

#include <algorithm>

#include "seam/engine/open/completion.hpp"
#include "seam/formats/number.hpp"
#include "seam/load/system_values.hpp"
#include "seam/system/units.hpp"

namespace seam::study {
namespace {

using formats::Node;
using system::MethodRequest;
using system::Value;

/// Expressions in letters that mean nothing to YAML: those of Unicode's private use, U+E000 and the character.
std::string hidden(std::string_view text) {
  std::string result;
  bool inside = false;
  for (const char letter : text) {
    inside = inside || letter == '{';
    const auto code = static_cast<unsigned char>(letter);
    if (inside && code < 0x80)
      result += {'\xEE', static_cast<char>(0x80 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))};
    else
      result += letter;
    inside = inside && letter != '}';
  }
  return result;
}

void show(std::string& text) {
  for (std::size_t at = 0; (at = text.find('\xEE', at)) != std::string::npos; ++at) {
    if (at + 2 >= text.size() || (text[at + 1] & 0x3E) != 0) continue;
    text.replace(at, 3, 1, static_cast<char>((text[at + 1] & 0x01) << 6 | (text[at + 2] & 0x3F)));
  }
}

/// As it was written, and all of it at one place.
void show(Value& value, const base::Location& where) {
  show(value.text);
  value.where = where;
  for (Value& item : value.items) show(item, where);
  for (auto& [key, entry] : value.entries) show(entry, where);
}

/// NAME,key=value
MethodRequest read_method(const Node& node, base::Problems& problems) {
  base::Problems found;
  MethodRequest request = engine::parse_method("a method", hidden(node.text), found);
  for (const base::Problem& problem : found.all()) problems.add(node.where, problem.what, problem.mend);
  request.where = node.where;
  for (system::Setting& parameter : request.parameters) show(parameter.value, parameter.where = node.where);
  return request;
}

bool fill_text(Value& value, const Lookup& lookup, ExpressionProblem& problem) {
  const std::string_view text = value.text;
  const std::size_t close = text.find('}');
  const bool begins = text.front() == '{' && close != std::string_view::npos && text.find('{', 1) == text.npos;
  const std::string unit(begins ? load::trimmed(text.substr(close + 1)) : "");
  if (!begins || (!unit.empty() && !system::parse_unit(unit))) {
    auto filled = substitute(text, lookup, problem);
    if (filled) value = load::scalar_value(std::move(*filled), value.where);
    return filled.has_value();
  }
  const auto number = evaluate(text.substr(1, close - 1), lookup, problem);
  if (number) value = number_value(*number, unit, value.where);
  return number.has_value();
}

bool fill(std::optional<MethodRequest>& request, const Lookup& lookup, ExpressionProblem& problem) {
  return !request || std::ranges::all_of(request->parameters, [&](system::Setting& parameter) {
    return fill(parameter.value, lookup, problem);
  });
}

}  // namespace

Value read_template(const Node& node, base::Problems& problems) {
  Value value;
  if (node.kind == Node::Kind::scalar && !node.text.empty()) {
    base::Problems found;
    const auto tree = formats::read_yaml(hidden(node.text), "a value", found);
    if (tree) value = load::read_value(*tree, found);
    for (const base::Problem& problem : found.all()) problems.add(node.where, problem.what, problem.mend);
    show(value, node.where);
    return value;
  }
  if (node.kind == Node::Kind::null || node.kind == Node::Kind::scalar) return load::read_value(node, problems);
  value.where = node.where;
  value.kind = node.kind == Node::Kind::sequence ? Value::Kind::list : Value::Kind::map;
  for (const auto& item : node.items) value.items.push_back(read_template(*item, problems));
  for (const Node::Entry& entry : node.entries)
    value.entries.emplace_back(entry.key, read_template(*entry.value, problems));
  return value;
}

engine::CouplingChanges read_coupling_template(const std::string& path, const Node& node, base::Problems& problems) {
  engine::CouplingChanges changes;
  if (path == "plan.feedthrough") {
    changes.feedthrough = load::read_feedthrough(node, problems);
    changes.feedthrough_where = node.where;
  } else if (path == "plan.schedule") {
    changes.schedule = load::read_schedule(node, problems);
    changes.schedule_where = node.where;
  } else {
    Node unnamed = node;
    std::erase_if(unnamed.entries, [](const Node::Entry& entry) { return entry.key == "name"; });
    std::optional<system::CouplingRequest> request;
    if (node.kind != Node::Kind::scalar) {
      request = load::read_coupling(unnamed, problems);
    } else {
      request.emplace().where = node.where;
      request->coupling = read_method(node, problems);
    }
    if (path == "plan.corrector" && request) changes.corrector = request->coupling;
    if (path == "plan.coupling") changes.coupling = std::move(request);
  }
  return changes;
}

Value number_value(double number, const std::string& unit, const base::Location& where) {
  Value value;
  value.number = number;
  value.unit = unit;
  value.text = formats::number_text(number);
  if (!unit.empty()) value.text += " " + unit;
  if (!unit.empty() && !system::parse_unit(unit)) value.kind = Value::Kind::text;
  value.where = where;
  return value;
}

bool fill(Value& value, const Lookup& lookup, ExpressionProblem& problem) {
  if (value.kind == Value::Kind::text && value.text.find('{') != std::string::npos)
    return fill_text(value, lookup, problem);
  const auto fill_one = [&](Value& part) { return fill(part, lookup, problem); };
  return std::ranges::all_of(value.items, fill_one) &&
         std::ranges::all_of(value.entries, [&](auto& entry) { return fill_one(entry.second); });
}

bool fill(engine::CouplingChanges& changes, const Lookup& lookup, ExpressionProblem& problem) {
  auto& coupling = changes.coupling;
  return fill(changes.corrector, lookup, problem) &&
         (!coupling || (fill(coupling->coupling, lookup, problem) && fill(coupling->emitter, lookup, problem) &&
                        fill(coupling->receiver, lookup, problem)));
}

}  // namespace seam::study
