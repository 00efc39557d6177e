#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "seam/base/names.hpp"
#include "seam/record/compare.hpp"
#include "seam/system/column_names.hpp"
#include "seam/system/units.hpp"

namespace seam::record {
namespace {

using formats::Table;

/// Which variable of the reference a variable of the result is.
class Pairing {
 public:
  Pairing(const Table& result, const Table& reference, const system::NameMap& map, Comparison& said)
      : reference_names_(reference.names.begin() + 1, reference.names.end()), said_(said) {
    reference_names_.insert(reference_names_.end(), reference.left_out.begin(), reference.left_out.end());
    const system::VariableNames names(reference_names_);
    std::vector<std::string> ours(result.names.begin() + 1, result.names.end());
    ours.insert(ours.end(), result.left_out.begin(), result.left_out.end());
    for (const std::string& name : ours) {
      const std::optional<std::string> told = map.find(name);
      wanted_[name] = names.find(told.value_or(name));
      if (told && wanted_[name].empty()) unknown_.push_back(*told);
      if (told && wanted_[name].size() == 1) told_[wanted_[name][0]] = name;
    }
    for (const auto& [name, found] : wanted_) {
      if (found.size() == 1) claims_[found[0]].push_back(name);
    }
    for (const std::string& name : ours) settle(name);
  }

  /// Of the reference; none if it has no such variable, or several.
  std::optional<std::string> find(const std::string& name) const {
    const auto found = pairs_.find(name);
    return found == pairs_.end() ? std::nullopt : std::optional(found->second);
  }
  bool is_ambiguous(const std::string& name) const { return ambiguous_.contains(name); }
  /// Of the reference: whether it is, or may be, a variable of the result.
  bool is_taken(const std::string& name) const { return taken_.contains(name); }
  const std::vector<std::string>& unknown() const { return unknown_; }
  const std::vector<std::string>& reference_names() const { return reference_names_; }

 private:
  /// A variable of the reference that several claim belongs to the one that the user names, or the one of its very
  /// name.
  void settle(const std::string& name) {
    const std::vector<std::size_t>& found = wanted_[name];
    if (found.empty()) return;
    std::vector<std::string> theirs;
    for (const std::size_t i : found) {
      theirs.push_back(reference_names_[i]);
      taken_.insert(reference_names_[i]);
    }
    const std::string& first = theirs.front();
    if (found.size() > 1) {
      ambiguous_.insert(name);
      said_.ambiguous.push_back(fmt::format("{} may be {} of the reference", name, fmt::join(theirs, " or ")));
    } else if (const auto told = told_.find(found[0]); told != told_.end()) {
      if (told->second == name) pairs_[name] = first;
    } else if (claims_[found[0]].size() == 1 || name == first) {
      pairs_[name] = first;
    } else if (!wanted_.contains(first)) {
      ambiguous_.insert(name);
      said_.ambiguous.push_back(fmt::format("{} may be {} of the reference, and so may others", name, first));
    }
  }

  std::vector<std::string> reference_names_;
  std::unordered_map<std::string, std::vector<std::size_t>> wanted_;
  std::unordered_map<std::size_t, std::vector<std::string>> claims_;
  std::unordered_map<std::size_t, std::string> told_;  ///< by the user
  std::unordered_map<std::string, std::string> pairs_;
  std::unordered_set<std::string> ambiguous_, taken_;
  std::vector<std::string> unknown_;
  Comparison& said_;
};

/// The reference under the names of the result; what is left out is listed.
Table renamed(const Table& reference, Table& result, const std::vector<std::string>& patterns, const Pairing& pairing,
              Comparison& said) {
  const auto asked = [&](const std::string& name) {
    return patterns.empty() ||
           std::ranges::any_of(patterns, [&](const std::string& pattern) { return base::matches(pattern, name); });
  };
  Table kept{{result.names[0]}, {result.units[0]}, {result.columns[0]}}, expected = kept;
  expected.columns[0] = reference.columns[0];
  for (std::size_t c = 1; c < result.names.size(); ++c) {
    const std::string& name = result.names[c];
    const auto other = pairing.find(name);
    if (!other && !pairing.is_ambiguous(name) && asked(name)) said.only_in_result.push_back(name);
    if (other && !asked(name)) said.not_asked.push_back(name);
    if (!other || !asked(name)) continue;
    const auto found = std::ranges::find(reference.names, *other);
    if (found == reference.names.end()) {
      said.texts.push_back(name);
      continue;
    }
    const auto number = static_cast<std::size_t>(found - reference.names.begin());
    kept.names.push_back(name);
    kept.units.push_back(result.units[c]);
    kept.columns.push_back(std::move(result.columns[c]));
    expected.names.push_back(name);
    expected.units.push_back(reference.units[number]);
    expected.columns.push_back(reference.columns[number]);
  }
  for (const std::string& text : result.left_out)
    (pairing.find(text) ? said.texts : said.only_in_result).push_back(text);
  for (const std::string& name : pairing.reference_names()) {
    if (!pairing.is_taken(name)) said.only_in_reference.push_back(name);
  }
  result = std::move(kept);
  return expected;
}

void check_patterns(const std::vector<std::string>& patterns, const Table& table, base::Problems& problems) {
  for (const std::string& pattern : patterns) {
    const auto fits = [&](const std::string& name) { return base::matches(pattern, name); };
    if (std::none_of(table.names.begin() + 1, table.names.end(), fits))
      problems.add({}, "no variable matches \"" + pattern + "\"", base::did_you_mean(pattern, table.names));
  }
}

}  // namespace

Table read_timed_table(const std::string& path, const char* which, base::Problems& problems) {
  Table table = formats::read_table(path, problems);
  if (table.names.empty()) return table;
  system::settle_columns(table.names, table.units);
  std::vector<std::string> units(table.left_out.size());
  system::settle_columns(table.left_out, units);
  const auto time = static_cast<std::ptrdiff_t>(formats::time_column(table));
  const auto to_front = [&](auto& list) { std::rotate(list.begin(), list.begin() + time, list.begin() + time + 1); };
  to_front(table.names);
  to_front(table.units);
  to_front(table.columns);
  if (table.units[0].empty()) return table;
  const auto unit = system::parse_unit(table.units[0]);
  if (!unit || !system::same_dimension(*unit, system::second)) {
    problems.add({}, fmt::format("the time of the {}, \"{}\", is in {}", which, table.names[0], table.units[0]),
                 "call the column of times time, and give it a unit of time");
    return table;
  }
  for (double& t : table.columns[0]) t = system::convert(t, *unit, system::second);
  return table;
}

void convert_units(Table& result, const Table& reference) {
  for (std::size_t c = 1; c < result.names.size(); ++c) {
    const auto from = system::parse_unit(result.units[c]), to = system::parse_unit(reference.units[c]);
    if (!from || !to || !system::same_dimension(*from, *to)) continue;
    result.units[c] = reference.units[c];
    if (system::same_meaning(*from, *to)) continue;
    for (double& value : result.columns[c]) value = system::convert(value, *from, *to);
  }
}

Comparison compare_files(const FileComparison& files, base::Problems& problems) {
  const std::size_t before = problems.size();
  Table result = read_timed_table(files.result, "result", problems);
  const Table reference = read_timed_table(files.reference, "reference", problems);
  const system::NameMap map = system::NameMap::read(files.map, "--map", problems);
  if (problems.size() > before) return {};
  check_patterns(files.variables, result, problems);
  for (const std::string& pair : map.unused(result.names))
    problems.add({}, fmt::format("--map {}: the result has no such variable", pair));
  Comparison said;
  const Pairing pairing(result, reference, map, said);
  for (const std::string& name : pairing.unknown())
    problems.add({}, fmt::format("--map: the reference has no variable \"{}\"", name),
                 base::did_you_mean(name, reference.names));
  if (problems.size() > before) return {};
  const Table expected = renamed(reference, result, files.variables, pairing, said);
  if (expected.names.size() < 2) {
    for (const std::string& words : said.ambiguous) problems.add({}, words, "say which with --map RESULT=REFERENCE");
    if (!said.texts.empty())
      problems.add(
          {}, fmt::format("what both files have are texts, which are not compared: {}", fmt::join(said.texts, ", ")));
    if (problems.size() > before) return {};
  }
  convert_units(result, expected);
  Comparison comparison = compare(result, expected, problems);
  comparison.only_in_result = std::move(said.only_in_result);
  comparison.only_in_reference = std::move(said.only_in_reference);
  comparison.texts = std::move(said.texts);
  comparison.not_asked = std::move(said.not_asked);
  comparison.ambiguous = std::move(said.ambiguous);
  for (VariableError& error : comparison.variables) error.reference_name = *pairing.find(error.name);
  return comparison;
}

}  // namespace seam::record
