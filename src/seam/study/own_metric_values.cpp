#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "seam/base/names.hpp"
#include "seam/load/system_values.hpp"
#include "seam/study/study_values.hpp"
#include "seam/system/column_names.hpp"

namespace seam::study {
namespace {

using formats::Node;
using MetricKind = OwnMetric::Kind;

struct Rule {
  const char* text;
  MetricKind kind;
};
constexpr Rule rules[] = {{"final", MetricKind::final_value},
                          {"max", MetricKind::largest},
                          {"min", MetricKind::smallest},
                          {"range", MetricKind::range},
                          {"mean", MetricKind::mean},
                          {"rms", MetricKind::rms},
                          {"integral", MetricKind::integral},
                          {"crosses", MetricKind::crossings},
                          {"time_of", MetricKind::time_of_largest},
                          {"compare", MetricKind::comparison},
                          {"expression", MetricKind::expression}};
constexpr Rule rules_of_time[] = {{"max", MetricKind::time_of_largest},
                                  {"min", MetricKind::time_of_smallest},
                                  {"crosses", MetricKind::time_of_crossing}};

std::string list_of(std::span<const Rule> all) {
  std::string text;
  for (const Rule& rule : all) text += (text.empty() ? "" : ", ") + std::string(rule.text);
  return text;
}

/// The one of the rules that the map has as a key; a problem if it is none or several.
const Node::Entry* find_rule(const Node& map, std::span<const Rule> all, MetricKind& kind, base::Problems& problems) {
  const Node::Entry* found = nullptr;
  for (const Node::Entry& entry : map.entries) {
    const auto word = std::ranges::find_if(all, [&](const Rule& one) { return entry.key == one.text; });
    if (word == all.end()) continue;
    if (found) {
      problems.add(entry.key_where, fmt::format("a metric has one of {}; this is the second one", list_of(all)));
      return nullptr;
    }
    found = &entry;
    kind = word->kind;
  }
  if (!found)
    problems.add(map.where, "nothing says what is measured",
                 fmt::format("write {{max: VARIABLE}}, or another of {}", list_of(all)));
  return found;
}

void read_expression(const Node& node, OwnMetric& metric, base::Problems& problems) {
  const auto text = load::read_text(node, "a variable or an expression", problems);
  if (!text) return;
  ExpressionProblem problem;
  if (auto read = Expression::read(*text, problem))
    metric.of = std::move(*read);
  else
    problems.add(load::within(node, problem.at, 1), problem.what,
                 "write names with other characters than letters, digits, _ . [ ] in `backquotes`");
}

void read_crossing(const Node& map, OwnMetric& metric, base::Problems& problems) {
  if (const Node* level = map.find("level"))
    metric.crossing.level = load::read_finite(*level, "level", problems).value_or(0.0);
  if (const Node* node = map.find("direction")) {
    const auto word = load::read_word(*node, "direction", {"both", "rising", "falling"}, problems);
    metric.crossing.direction = static_cast<OwnMetric::Crossing::Direction>(word.value_or(0));
  }
  if (const Node* node = map.find("which")) {
    const auto word = load::read_word(*node, "which", {"first", "last"}, problems);
    metric.crossing.which = static_cast<OwnMetric::Crossing::Which>(word.value_or(0));
  }
}

/// The file is read now: its values serve every case.
void read_measured(const Node& map, const std::string& folder, OwnMetric& metric, base::Problems& problems) {
  const Node* const with = map.find("with");
  if (!with) {
    problems.add(map.where, "nothing says with what it is compared", "write  with: FILE  (CSV, MAT or HDF5)");
    return;
  }
  if (const Node* node = map.find("error")) {
    const auto word = load::read_word(*node, "error", {"rms", "largest", "nrmse_range", "nrmse_deviation"}, problems);
    metric.measured.error = static_cast<OwnMetric::Measured::Error>(word.value_or(0));
  }
  const std::string file = load::read_text(*with, "with", problems).value_or("");
  metric.measured.file = (std::filesystem::path(folder) / file).lexically_normal().string();
  if (!std::filesystem::is_regular_file(metric.measured.file)) {
    problems.add(with->where, fmt::format("there is no file \"{}\"", metric.measured.file),
                 "it is looked for beside the study");
    return;
  }
  base::Problems found;
  formats::Table table = record::read_timed_table(metric.measured.file, "measured values", found);
  for (const base::Problem& problem : found.all()) problems.add(with->where, problem.what, problem.mend);
  if (!found.empty()) return;
  const Node* const column = map.find("column");
  const std::string name = column ? load::read_text(*column, "column", problems).value_or("") : metric.of.text();
  const std::vector<std::string> names(table.names.begin() + 1, table.names.end());
  const std::vector<std::size_t> found_columns = system::VariableNames(names).find(name);
  if (found_columns.size() != 1) {
    problems.add(column ? column->where : with->where,
                 fmt::format("\"{}\" has {} column \"{}\"", file, found_columns.empty() ? "no" : "more than one", name),
                 found_columns.empty() ? base::did_you_mean(name, names) : "write  column: NAME");
    return;
  }
  const std::size_t number = found_columns.front() + 1;
  metric.measured.table = {{table.names[0], table.names[number]},
                           {"s", table.units[number]},
                           {std::move(table.columns[0]), std::move(table.columns[number])}};
}

void check_name(const Node::Entry& entry, const Study& study, base::Problems& problems) {
  const bool plain =
      !entry.key.empty() && !std::isdigit(static_cast<unsigned char>(entry.key[0])) &&
      std::ranges::all_of(entry.key, [](unsigned char letter) { return std::isalnum(letter) || letter == '_'; });
  if (!plain)
    problems.add(entry.key_where, fmt::format("\"{}\" cannot be the name of a metric", entry.key),
                 "use letters, digits and _");
  const auto is_taken = [&](const auto& names) { return std::ranges::find(names, entry.key) != names.end(); };
  const std::vector<std::string> columns = {"case", "point", "method", "ending", "reason"};
  if (is_taken(metric_words()) || is_taken(columns))
    problems.add(entry.key_where, fmt::format("\"{}\" has a meaning already", entry.key), "choose another name");
  if (std::ranges::find(study.own_metrics, entry.key, &OwnMetric::name) != study.own_metrics.end())
    problems.add(entry.key_where, fmt::format("\"{}\" stands here twice", entry.key));
}

}  // namespace

void read_own_metric(const Node::Entry& entry, Study& study, base::Problems& problems) {
  const Node& map = *entry.value;
  check_name(entry, study, problems);
  if (!load::expect(map, Node::Kind::map, fmt::format("the metric \"{}\"", entry.key), problems)) return;
  OwnMetric metric;
  metric.name = entry.key;
  metric.where = entry.key_where;
  const Node::Entry* word = find_rule(map, rules, metric.kind, problems);
  if (!word) return;
  load::Keys keys{{word->key}};
  if (metric.kind != MetricKind::expression) keys.known.insert(keys.known.end(), {"from", "to"});
  if (metric.kind == MetricKind::crossings) keys.known.insert(keys.known.end(), {"level", "direction"});
  if (metric.kind == MetricKind::comparison) keys.known.insert(keys.known.end(), {"with", "column", "error"});
  load::check_keys(map, fmt::format("the metric \"{}\"", entry.key), keys, problems);
  const Node* details = &map;
  if (word->key == std::string("time_of")) {
    details = word->value.get();
    if (!load::expect(*details, Node::Kind::map, "time_of", problems)) return;
    word = find_rule(*details, rules_of_time, metric.kind, problems);
    if (!word) return;
    keys.known = {word->key};
    if (metric.kind == MetricKind::time_of_crossing)
      keys.known.insert(keys.known.end(), {"level", "direction", "which"});
    load::check_keys(*details, "time_of", keys, problems);
  }
  read_expression(*word->value, metric, problems);
  read_crossing(*details, metric, problems);
  if (const Node* from = map.find("from")) metric.from = load::read_time(*from, "from", problems).value_or(metric.from);
  if (const Node* to = map.find("to")) metric.to = load::read_time(*to, "to", problems).value_or(metric.to);
  if (!(metric.from <= metric.to)) problems.add(map.where, "its time ends before it begins");
  if (metric.kind == MetricKind::comparison)
    read_measured(map, std::filesystem::path(study.path).parent_path().string(), metric, problems);
  study.own_metrics.push_back(std::move(metric));
}

}  // namespace seam::study
