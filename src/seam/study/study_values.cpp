#include "seam/study/study_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/formats/number.hpp"
#include "seam/formats/yaml_writer.hpp"
#include "seam/load/system_values.hpp"
#include "seam/study/value_template.hpp"

namespace seam::study {
namespace {

using formats::Node;

/// A number with its unit: "3 kg", "0.5".
struct Quantity {
  double number = 0.0;
  std::string unit;
};

std::optional<Quantity> read_quantity(const Node& node, const char* what, base::Problems& problems) {
  const std::string_view text = load::trimmed(node.text);
  const std::size_t length = node.kind == Node::Kind::scalar ? formats::number_length(text) : 0;
  const formats::NumberRead read = formats::read_number(text.substr(0, length));
  if (length == 0 || read.reading != formats::Reading::number) {
    problems.add(node.where, fmt::format("{} must be a number, with or without a unit", what));
    return std::nullopt;
  }
  return Quantity{read.number, std::string(load::trimmed(text.substr(length)))};
}

constexpr const char* distributions[] = {"uniform", "log-uniform", "normal", "log-normal", "choice"};

std::optional<std::pair<double, double>> read_pair(const Node& node, const char* what, base::Problems& problems) {
  if (node.kind != Node::Kind::sequence || node.items.size() != 2) {
    problems.add(node.where, fmt::format("{} needs two numbers", what), "write [1, 10]");
    return std::nullopt;
  }
  const auto first = load::read_finite(*node.items[0], what, problems);
  const auto second = load::read_finite(*node.items[1], what, problems);
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

void check_distribution(const Distribution& distribution, const Node& node, base::Problems& problems) {
  using Kind = Distribution::Kind;
  const auto [first, second] = std::pair(distribution.first, distribution.second);
  const bool is_range = distribution.kind == Kind::uniform || distribution.kind == Kind::log_uniform;
  if (is_range && !(first <= second)) problems.add(node.where, "the first number must not be larger than the second");
  if (distribution.kind == Kind::log_uniform && !(first > 0.0))
    problems.add(node.where, "both numbers must be greater than 0: their logarithms are taken");
  if (distribution.kind == Kind::log_normal && !(first > 0.0))
    problems.add(node.where, "the median, which is the first number, must be greater than 0");
  if (!is_range && distribution.kind != Kind::choice && !(second >= 0.0))
    problems.add(node.where, "the standard deviation, which is the second number, must not be negative");
}

void read_draw(const Node::Entry& entry, std::size_t kind, Study& study, base::Problems& problems) {
  const Node& map = *entry.value;
  const Node& parameters = *map.find(distributions[kind]);
  load::check_keys(map, "a distribution", {{distributions[kind], "unit", "within"}}, problems);
  Distribution distribution;
  distribution.kind = static_cast<Distribution::Kind>(kind);
  if (distribution.kind == Distribution::Kind::choice) {
    if (!load::expect(parameters, Node::Kind::sequence, "choice", problems)) return;
    for (const auto& item : parameters.items) distribution.choices.push_back(read_varied(*item, problems));
    if (distribution.choices.empty()) problems.add(parameters.where, "there is nothing to choose from");
  } else if (const auto pair = read_pair(parameters, distributions[kind], problems)) {
    std::tie(distribution.first, distribution.second) = *pair;
  }
  check_distribution(distribution, parameters, problems);
  if (const Node* unit = map.find("unit")) distribution.unit = load::read_text(*unit, "unit", problems).value_or("");
  if (const Node* within = map.find("within")) {
    distribution.within = read_pair(*within, "within", problems);
    if (distribution.within && !(distribution.within->first < distribution.within->second))
      problems.add(within->where, "the first number must be smaller than the second");
  }
  study.draws.push_back({entry.key, std::move(distribution), entry.key_where});
}

/// {from: 1 ms, to: 10 ms, count: 4, spacing: logarithmic}
void read_range(const Node::Entry& entry, Study& study, base::Problems& problems) {
  const Node& map = *entry.value;
  load::check_keys(map, "a range", {{"from", "to", "count", "spacing"}}, problems);
  const Node* const from_node = map.find("from");
  const Node* const to_node = map.find("to");
  const Node* const count_node = map.find("count");
  if (!from_node || !to_node || !count_node) {
    problems.add(entry.value->where, "this is neither a list, nor a range, nor a distribution",
                 fmt::format("write [1, 2], {{from: 1, to: 10, count: 4}}, or one of {{uniform: [1, 10]}}, {}",
                             "log-uniform, normal, log-normal, choice"));
    return;
  }
  const auto from = read_quantity(*from_node, "from", problems), to = read_quantity(*to_node, "to", problems);
  const auto count = read_count(*count_node, "count", 2, problems);
  std::size_t spacing = 0;
  if (const Node* node = map.find("spacing"))
    spacing = load::read_word(*node, "spacing", {"linear", "logarithmic"}, problems).value_or(0);
  if (!from || !to || !count) return;
  if (from->unit != to->unit) {
    problems.add(to_node->where, "from and to must have the same unit");
    return;
  }
  if (spacing == 1 && !(from->number > 0.0 && to->number > 0.0)) {
    problems.add(from_node->where, "with logarithmic spacing both ends must be greater than 0");
    return;
  }
  constexpr std::uint64_t most = 1'000'000;
  if (*count > most) {
    problems.add(count_node->where, fmt::format("more than {} values are too many", most));
    return;
  }
  Axis axis{{entry.key}, {}, entry.key_where};
  for (std::uint64_t i = 0; i < *count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(*count - 1);
    double number = spacing == 1 ? from->number * std::pow(to->number / from->number, share)
                                 : from->number + (to->number - from->number) * share;
    if (i + 1 == *count) number = to->number;  // to the digit
    axis.values.push_back({number_value(number, from->unit)});
  }
  study.axes.push_back(std::move(axis));
}

}  // namespace

const std::vector<std::string>& method_paths() {
  static const std::vector<std::string> paths = {"plan.coupling", "plan.corrector", "plan.feedthrough",
                                                 "plan.schedule"};
  return paths;
}

bool is_method_path(const std::string& path) { return std::ranges::find(method_paths(), path) != method_paths().end(); }

std::string value_text(const Node& node) {
  const auto joined = [](const auto& parts, const auto& text_of) {
    std::string text;
    for (const auto& part : parts) text += (text.empty() ? "" : ", ") + text_of(part);
    return text;
  };
  switch (node.kind) {
    case Node::Kind::null:
      return "null";
    case Node::Kind::scalar:
      return node.text;
    case Node::Kind::sequence:
      return "[" + joined(node.items, [](const auto& item) { return value_text(*item); }) + "]";
    case Node::Kind::map:
      return "{" +
             joined(node.entries,
                    [](const auto& e) { return formats::yaml_scalar(e.key) + ": " + value_text(*e.value); }) +
             "}";
  }
  return {};
}

std::string coupling_text(const Node& whole) {
  Node node = whole;
  std::erase_if(node.entries, [](const Node::Entry& entry) { return entry.key == "name"; });
  const bool named = node.entries.size() == 1 && !node.find("emitter") && !node.find("receiver");
  const Node* const parameters = named ? node.entries.front().value.get() : nullptr;
  const bool plain = parameters && parameters->items.empty() && parameters->kind != Node::Kind::scalar &&
                     std::ranges::all_of(parameters->entries, [](const Node::Entry& entry) {
                       return entry.value->kind == Node::Kind::scalar;
                     });
  if (!plain) return value_text(node);
  std::string text = node.entries.front().key;
  for (const Node::Entry& entry : parameters->entries) text += "," + entry.key + "=" + value_text(*entry.value);
  return text;
}

std::optional<std::string> coupling_name(const Node& node, base::Problems& problems) {
  const Node* const name = node.kind == Node::Kind::map ? node.find("name") : nullptr;
  if (!name) return std::nullopt;
  return load::read_text(*name, "the name of a coupling", problems);
}

system::Value read_varied(const Node& node, base::Problems& problems) {
  system::Value value = read_template(node, problems);
  value.text = value_text(node);
  return value;
}

std::vector<Assignment> read_assignments(const Node& map, const char* what, base::Problems& problems) {
  std::vector<Assignment> assignments;
  if (!load::expect(map, Node::Kind::map, what, problems)) return assignments;
  for (const Node::Entry& entry : map.entries) {
    Assignment assignment{.path = entry.key, .text = value_text(*entry.value), .where = entry.value->where};
    if (is_method_path(entry.key))
      assignment.coupling = read_coupling_template(entry.key, *entry.value, problems);
    else
      assignment.value = read_template(*entry.value, problems);
    assignments.push_back(std::move(assignment));
  }
  return assignments;
}

std::optional<std::uint64_t> read_count(const Node& node, const char* what, std::uint64_t least,
                                        base::Problems& problems) {
  const auto number = load::read_finite(node, what, problems);
  if (!number) return std::nullopt;
  if (*number == std::floor(*number) && *number >= static_cast<double>(least) && *number <= 0x1p53)
    return static_cast<std::uint64_t>(*number);
  problems.add(node.where, fmt::format("{} must be a whole number from {} on", what, least));
  return std::nullopt;
}

void read_variation(const Node::Entry& entry, Study& study, base::Problems& problems) {
  const Node& node = *entry.value;
  if (node.kind == Node::Kind::sequence) {
    Axis axis{{entry.key}, {}, entry.key_where};
    for (const auto& item : node.items) axis.values.push_back({read_varied(*item, problems)});
    if (axis.values.empty()) problems.add(node.where, fmt::format("\"{}\" has no value", entry.key));
    study.axes.push_back(std::move(axis));
    return;
  }
  if (!load::expect(node, Node::Kind::map, fmt::format("what varies \"{}\"", entry.key), problems)) return;
  for (std::size_t kind = 0; kind < std::size(distributions); ++kind) {
    if (node.find(distributions[kind])) return read_draw(entry, kind, study, problems);
  }
  read_range(entry, study, problems);
}

void read_cases(const Node& list, Study& study, base::Problems& problems) {
  if (!load::expect(list, Node::Kind::sequence, "cases", problems) || list.items.empty()) return;
  Axis axis;
  axis.where = list.where;
  for (const auto& item : list.items) {
    if (!load::expect(*item, Node::Kind::map, "a case", problems)) return;
    std::vector<std::string> paths;
    std::vector<system::Value> values;
    for (const Node::Entry& entry : item->entries) {
      paths.push_back(entry.key);
      values.push_back(read_varied(*entry.value, problems));
    }
    if (axis.paths.empty()) axis.paths = paths;
    if (paths.empty() || paths != axis.paths) {
      problems.add(
          item->where, "every case must give the same paths, in the same order",
          axis.paths.empty() ? "write {path: value}" : fmt::format("the first has {}", fmt::join(axis.paths, ", ")));
      return;
    }
    axis.values.push_back(std::move(values));
  }
  study.axes.push_back(std::move(axis));
}

}  // namespace seam::study
