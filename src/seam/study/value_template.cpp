#include "seam/study/value_template.hpp"

#include <algorithm>
#include <initializer_list>

#include "seam/engine/changes.hpp"
#include "seam/formats/number.hpp"
#include "seam/load/system_values.hpp"
#include "seam/system/units.hpp"

namespace seam::study {
namespace {

using formats::Node;
using system::Value;

/// Expressions while the text around them is read: each is a word that means nothing to YAML, of characters that
/// Unicode leaves to private use.
class Words {
 public:
  std::string hide(std::string_view text) {
    std::string hidden;
    for (;;) {
      const std::size_t open = text.find('{'), close = text.find('}', open);
      if (close == std::string_view::npos) return hidden += text;
      hidden += text.substr(0, open);
      hidden += first_ + std::to_string(expressions_.size()) + last_;
      expressions_.emplace_back(text.substr(open, close + 1 - open));
      text.remove_prefix(close + 1);
    }
  }

  void show(std::string& text) const {
    for (std::size_t open = 0; (open = text.find(first_, open)) != std::string::npos;) {
      const std::size_t close = text.find(last_, open);
      const std::size_t number = std::stoul(text.substr(open + first_.size(), close - open - first_.size()));
      text.replace(open, close + last_.size() - open, expressions_[number]);
    }
  }

  void show(Value& value) const {
    show(value.text);
    for (Value& item : value.items) show(item);
    for (auto& [key, entry] : value.entries) show(entry);
  }

 private:
  const std::string first_ = "\uE000", last_ = "\uE001";
  std::vector<std::string> expressions_;
};

void place(Value& value, const base::Location& where) {
  value.where = where;
  for (Value& item : value.items) place(item, where);
  for (auto& [key, entry] : value.entries) place(entry, where);
}

void place(system::MethodRequest& request, const base::Location& where) {
  request.where = where;
  for (system::Setting& parameter : request.parameters) parameter.where = parameter.value.where = where;
}

Value read_text(const std::string& text, const base::Location& where, base::Problems& problems) {
  base::Problems found;
  const auto node = formats::read_yaml(text, "a value", found);
  Value value;
  if (node) value = load::read_value(*node, found);
  for (const base::Problem& problem : found.all()) problems.add(where, problem.what, problem.mend);
  place(value, where);
  return value;
}

template <typename ReadText>
Value read_tree(const Node& node, base::Problems& problems, const ReadText& read_scalar) {
  if (node.kind == Node::Kind::scalar && !node.text.empty()) return read_scalar(node.text);
  if (node.kind == Node::Kind::null || node.kind == Node::Kind::scalar) return load::read_value(node, problems);
  Value value;
  value.where = node.where;
  value.kind = node.kind == Node::Kind::sequence ? Value::Kind::list : Value::Kind::map;
  for (const auto& item : node.items) value.items.push_back(read_tree(*item, problems, read_scalar));
  for (const Node::Entry& entry : node.entries)
    value.entries.emplace_back(entry.key, read_tree(*entry.value, problems, read_scalar));
  return value;
}

/// A study quotes for the sake of braces: what it quotes is no text because of that.
std::shared_ptr<Node> unquoted(const Node& node) {
  auto copy = std::make_shared<Node>(node);
  copy->quoted = false;
  for (auto& item : copy->items) item = unquoted(*item);
  for (Node::Entry& entry : copy->entries) entry.value = unquoted(*entry.value);
  return copy;
}

/// NAME,key=value
system::MethodRequest read_method(const Node& node, base::Problems& problems) {
  Words words;
  base::Problems found;
  system::MethodRequest request = engine::parse_method("a method", words.hide(node.text), found);
  for (const base::Problem& problem : found.all()) problems.add(node.where, problem.what, problem.mend);
  for (system::Setting& parameter : request.parameters) words.show(parameter.value);
  place(request, node.where);
  return request;
}

bool fill_text(Value& value, const Lookup& lookup, ExpressionProblem& problem) {
  const std::string_view text = value.text;
  const std::size_t close = text.find('}');
  if (text.front() == '{' && close != std::string_view::npos && text.find('{', 1) == std::string_view::npos) {
    std::string unit(load::trimmed(text.substr(close + 1)));
    if (unit.empty() || system::parse_unit(unit)) {
      const auto number = evaluate(text.substr(1, close - 1), lookup, problem);
      if (!number) return false;
      value.kind = Value::Kind::number;
      value.number = *number;
      value.text = formats::number_text(*number) + (unit.empty() ? "" : " " + unit);
      value.unit = std::move(unit);
      return true;
    }
  }
  auto filled = substitute(text, lookup, problem);
  if (filled) value = load::scalar_value(std::move(*filled), value.where);
  return filled.has_value();
}

bool fill(system::MethodRequest& request, const Lookup& lookup, ExpressionProblem& problem) {
  return std::all_of(request.parameters.begin(), request.parameters.end(),
                     [&](system::Setting& parameter) { return fill(parameter.value, lookup, problem); });
}

}  // namespace

Value read_value(const Node& node, base::Problems& problems) {
  return read_tree(node, problems, [&](const std::string& text) { return read_text(text, node.where, problems); });
}

Value read_template(const Node& node, base::Problems& problems) {
  return read_tree(node, problems, [&](const std::string& text) {
    Words words;
    Value value = read_text(words.hide(text), node.where, problems);
    words.show(value);
    return value;
  });
}

engine::CouplingChanges read_coupling_template(const std::string& path, const Node& node, base::Problems& problems) {
  engine::CouplingChanges changes;
  const auto bare = unquoted(node);
  std::erase_if(bare->entries, [](const Node::Entry& entry) { return entry.key == "name"; });
  if (path == "plan.feedthrough") {
    changes.feedthrough = load::read_feedthrough(*bare, problems);
    changes.feedthrough_where = node.where;
  } else if (path == "plan.schedule") {
    changes.schedule = load::read_schedule(*bare, problems);
    changes.schedule_where = node.where;
  } else {
    auto request = node.kind == Node::Kind::scalar ? std::nullopt : load::read_coupling(*bare, problems);
    if (!request) request.emplace();
    request->where = node.where;
    if (node.kind == Node::Kind::scalar) request->coupling = read_method(node, problems);
    if (path == "plan.corrector") changes.corrector = request->coupling;
    if (path == "plan.coupling") changes.coupling = std::move(request);
  }
  return changes;
}

bool fill(Value& value, const Lookup& lookup, ExpressionProblem& problem) {
  if (value.kind == Value::Kind::text && value.text.find('{') != std::string::npos)
    return fill_text(value, lookup, problem);
  return std::all_of(value.items.begin(), value.items.end(),
                     [&](Value& item) { return fill(item, lookup, problem); }) &&
         std::all_of(value.entries.begin(), value.entries.end(),
                     [&](auto& entry) { return fill(entry.second, lookup, problem); });
}

bool fill(engine::CouplingChanges& changes, const Lookup& lookup, ExpressionProblem& problem) {
  const auto fill_one = [&](std::optional<system::MethodRequest>& request) {
    return !request || fill(*request, lookup, problem);
  };
  if (!fill_one(changes.corrector)) return false;
  if (!changes.coupling) return true;
  return fill_one(changes.coupling->coupling) && fill_one(changes.coupling->emitter) &&
         fill_one(changes.coupling->receiver);
}

}  // namespace seam::study
