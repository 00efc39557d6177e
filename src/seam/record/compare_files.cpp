#include "seam/base/names.hpp"
#include "seam/record/compare.hpp"

namespace seam::record {
namespace {

/// The time and the columns that match a pattern; a pattern that matches nothing is a problem.
formats::Table only(const formats::Table& table, const std::vector<std::string>& patterns, base::Problems& problems) {
  formats::Table result;
  std::vector<bool> used(patterns.size());
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    bool wanted = c == 0;
    for (std::size_t p = 0; p < patterns.size(); ++p) {
      if (c == 0 || !base::matches(patterns[p], table.names[c])) continue;
      used[p] = true;
      wanted = true;
    }
    if (!wanted) continue;
    result.names.push_back(table.names[c]);
    result.units.push_back(table.units[c]);
    result.columns.push_back(table.columns[c]);
  }
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    if (!used[p])
      problems.add({}, "no variable matches \"" + patterns[p] + "\"", base::did_you_mean(patterns[p], table.names));
  }
  return result;
}

}  // namespace

Comparison compare_files(const std::string& result, const std::string& reference,
                         const std::vector<std::string>& variables, base::Problems& problems) {
  const std::size_t before = problems.size();
  formats::Table table = formats::read_table(result, problems, formats::TextColumns::left_out);
  const formats::Table expected = formats::read_table(reference, problems, formats::TextColumns::left_out);
  if (problems.size() > before) return {};
  if (!variables.empty()) table = only(table, variables, problems);
  if (problems.size() > before) return {};
  Comparison comparison = compare(table, expected, problems);
  comparison.texts = table.left_out;
  return comparison;
}

}  // namespace seam::record
