#include "seam/study/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace seam::study {
namespace {

std::vector<std::string> grouping(const Study& study) {
  if (study.summary.by) return *study.summary.by;
  std::vector<std::string> paths;
  for (const Axis& axis : study.axes) paths.insert(paths.end(), axis.paths.begin(), axis.paths.end());
  return paths;
}

MetricSummary summary_of(const Study& study, const std::string& column, std::vector<double> values) {
  MetricSummary result;
  result.column = column;
  result.known = values.size();
  for (const Threshold& threshold : study.summary.over) {
    if (threshold.column != column) continue;
    for (const double limit : threshold.limits) {
      result.limits.push_back(limit);
      const auto beyond = std::ranges::count_if(values, [&](double value) { return value > limit; });
      result.over.push_back(static_cast<std::size_t>(beyond));
    }
  }
  for (const double share : study.summary.quantiles) result.quantiles.push_back(quantile(values, share));
  return result;
}

SummaryLine line_of(const Study& study, const Sheet& sheet, const std::vector<const Row*>& rows) {
  SummaryLine line;
  line.method = sheet.methods[rows.front()->method];
  line.cases = rows.size();
  for (const Row* row : rows) {
    line.diverged += row->ending == Ending::diverged ? 1 : 0;
    line.failed += row->ending == Ending::failed ? 1 : 0;
  }
  for (std::size_t metric = 0; metric < sheet.metrics.size(); ++metric) {
    std::vector<double> values;
    for (const Row* row : rows) {
      if (!std::isnan(row->metrics[metric])) values.push_back(row->metrics[metric]);
    }
    line.metrics.push_back(summary_of(study, sheet.metrics[metric], std::move(values)));
  }
  return line;
}

}  // namespace

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double part = place - static_cast<double>(below);
  if (part == 0.0 || values[below] == values[below + 1]) return values[below];
  if (std::isinf(values[below + 1])) return values[below + 1];
  return values[below] + part * (values[below + 1] - values[below]);
}

Summary summarise(const Study& study, const Sheet& sheet, const std::vector<Row>& rows) {
  Summary summary;
  summary.by = grouping(study);
  summary.shares = study.summary.quantiles;
  const std::vector<std::string> paths = varied_paths(study);
  std::vector<std::size_t> columns;
  for (const std::string& path : summary.by)
    columns.push_back(static_cast<std::size_t>(std::ranges::find(paths, path) - paths.begin()));
  std::map<std::vector<std::string>, std::size_t> places;  // groups in the order in which they appear
  std::vector<std::vector<std::vector<const Row*>>> groups;
  std::vector<std::vector<std::string>> names;
  for (const Row& row : rows) {
    if (row.ending == Ending::excluded) {
      ++summary.excluded;
      continue;
    }
    std::vector<std::string> group;
    for (const std::size_t column : columns) group.push_back(row.varied[column]);
    const auto [place, is_new] = places.emplace(group, groups.size());
    if (is_new) {
      groups.emplace_back(sheet.methods.size());
      names.push_back(group);
    }
    groups[place->second][row.method].push_back(&row);
  }
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const auto& members : groups[group]) {
      if (members.empty()) continue;
      summary.lines.push_back(line_of(study, sheet, members));
      summary.lines.back().group = names[group];
    }
  }
  return summary;
}

}  // namespace seam::study
