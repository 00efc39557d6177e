#include "seam/report/study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/report/run_report.hpp"
#include "seam/report/text_shape.hpp"

namespace seam::report {
namespace {

using formats::Value;
using Cells = std::vector<std::string>;

std::string quantile_title(double share) { return share == 0.5 ? "median" : fmt::format("{:g}%", 100.0 * share); }

Cells titles(const study::Summary& summary) {
  Cells cells = summary.by;
  cells.insert(cells.end(), {"method", "cases", "diverged", "failed"});
  if (summary.lines.empty()) return cells;
  for (const study::MetricSummary& metric : summary.lines.front().metrics) {
    for (const double limit : metric.limits) cells.push_back(fmt::format("{} > {:.9g}", metric.column, limit));
    for (const double share : summary.shares)
      cells.push_back(fmt::format("{} {}", metric.column, quantile_title(share)));
  }
  return cells;
}

Cells cells_of(const study::SummaryLine& line) {
  Cells cells = line.group;
  cells.push_back(line.method);
  for (const std::size_t count : {line.cases, line.diverged, line.failed}) cells.push_back(std::to_string(count));
  for (const study::MetricSummary& metric : line.metrics) {
    for (const std::size_t count : metric.over) cells.push_back(std::to_string(count));
    for (const double quantile : metric.quantiles)
      cells.push_back(std::isnan(quantile) ? "-" : fmt::format("{:.6g}", quantile));
  }
  return cells;
}

/// Whether every group is a single case, whose quantiles would repeat its value.
bool is_a_list(const study::Summary& summary) {
  return std::ranges::all_of(summary.lines, [](const auto& line) { return line.cases == 1; });
}

std::string table_text(std::vector<Cells> rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Cells& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const Cells& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += (i == 0 ? "" : "  ") + padded(row[i], widths[i]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

/// The reasons of cases that are not done, the most frequent first.
std::string complaints_text(const study::StudyResult& result) {
  std::vector<std::pair<std::string, std::size_t>> reasons;
  for (const study::Row& row : result.rows) {
    if (row.ending != study::Ending::failed) continue;
    const auto known = std::ranges::find_if(reasons, [&](const auto& reason) { return reason.first == row.reason; });
    if (known != reasons.end())
      ++known->second;
    else
      reasons.emplace_back(row.reason, 1);
  }
  std::ranges::stable_sort(reasons, [](const auto& a, const auto& b) { return a.second > b.second; });
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(reasons.size(), most); ++i)
    text += fmt::format("{} failed: {}\n", reasons[i].second, reasons[i].first);
  if (reasons.size() > most) text += fmt::format("and {} other reasons, see the table\n", reasons.size() - most);
  return text;
}

std::string samples_text(const study::Study& study) {
  const std::string& sampling = study::sampling_words()[static_cast<std::size_t>(study.sampling)];
  std::string text =
      fmt::format("  {} samples{}, seed {}\n", study.samples,
                  study.sampling == study::Sampling::random ? "" : " (" + sampling + ")", study.seed.value_or(0));
  if (!study.sensitivities.empty())
    text += fmt::format("  {} points a sample, for sensitivities\n", study::variants_of_a_sample(study));
  return text;
}

/// Which share of each metric's variance each draw has.
std::string sensitivities_text(const study::Study& study, const study::StudyResult& result) {
  if (result.sensitivities.empty()) return {};
  const std::vector<std::string> paths = study::varied_paths(study);
  std::vector<Cells> rows(1, Cells(paths.begin(), paths.end() - static_cast<std::ptrdiff_t>(study.draws.size())));
  rows[0].insert(rows[0].end(), {"method", "metric", "path", "first order", "total", "samples"});
  const auto share = [](const study::Estimate& estimate) {
    return std::isnan(estimate.value) ? "-" : fmt::format("{:.3f} +- {:.3f}", estimate.value, estimate.error);
  };
  for (const study::SensitivityLine& line : result.sensitivities) {
    rows.push_back(line.group);
    rows.back().insert(rows.back().end(), {line.method, line.metric, line.path, share(line.first_order),
                                           share(line.total), std::to_string(line.samples)});
  }
  return "\n" + table_text(std::move(rows));
}

}  // namespace

std::string plan_of_study_text(const study::Prepared& prepared) {
  const study::Study& study = prepared.study;
  std::string text = fmt::format("{}: {} points x {} methods = {} cases of {}\n", study.name, prepared.points,
                                 study.methods.size(), prepared.points * study.methods.size(), study.system);
  for (const study::Axis& axis : study.axes)
    text += fmt::format("  {}: {} values\n", fmt::join(axis.paths, ", "), axis.values.size());
  for (const study::Draw& draw : study.draws) text += fmt::format("  {}: drawn\n", draw.path);
  if (!study.draws.empty()) text += samples_text(study);
  text += fmt::format("methods: {}\n", fmt::join(prepared.sheet.methods, ", "));
  text += fmt::format("metrics: {}\n", fmt::join(prepared.sheet.metrics, ", "));
  text += fmt::format("workers are {}\n",
                      prepared.kind == study::Kind::native ? "threads" : "processes, since there are FMUs");
  constexpr std::size_t shown = 5;
  const std::vector<std::string> paths = study::varied_paths(study);
  for (std::size_t number = 0; number < std::min(prepared.points, shown) && !paths.empty(); ++number) {
    const study::Point point = study::point_of(study, number);
    text += fmt::format("point {}:", number + 1);
    for (std::size_t i = 0; i < paths.size(); ++i) text += fmt::format(" {}={}", paths[i], point.texts[i]);
    text += "\n";
  }
  return text;
}

Value plan_of_study_value(const study::Prepared& prepared) {
  return Value::object({{"study", prepared.study.name},
                        {"points", prepared.points},
                        {"cases", prepared.points * prepared.study.methods.size()},
                        {"methods", Value::array(prepared.sheet.methods)},
                        {"varied", Value::array(study::varied_paths(prepared.study))},
                        {"metrics", Value::array(prepared.sheet.metrics)}});
}

std::string study_text(const study::Prepared& prepared, const study::StudyResult& result) {
  std::string text;
  if (!result.rows.empty()) {
    std::vector<Cells> rows{titles(result.summary)};
    for (const study::SummaryLine& line : result.summary.lines) rows.push_back(cells_of(line));
    if (is_a_list(result.summary)) {
      for (std::string& title : rows.front()) {
        const std::size_t end = title.rfind(" median");
        if (end != std::string::npos) title.erase(end);
      }
    }
    text += table_text(std::move(rows));
  }
  text += sensitivities_text(prepared.study, result);
  text += complaints_text(result);
  if (result.summary.excluded > 0)
    text += fmt::format("{} cases are excluded, as the study asks, and count nowhere\n", result.summary.excluded);
  text +=
      fmt::format("{} of {} cases of {} in {}{}; summary in {}\n", result.rows.size(),
                  result.points * prepared.study.methods.size(), prepared.study.name, result.file,
                  result.file == result.rows_file ? "" : ", with texts in " + result.rows_file, result.summary_file);
  if (!result.trajectory_file.empty()) text += fmt::format("trajectories in {}\n", result.trajectory_file);
  if (!result.sensitivity_file.empty()) text += fmt::format("sensitivities in {}\n", result.sensitivity_file);
  if (!result.complete) text += "interrupted; --resume goes on from here\n";
  return text;
}

bool every_case_failed(const study::StudyResult& result) {
  return !result.rows.empty() &&
         std::ranges::all_of(result.rows, [](const study::Row& row) { return row.ending == study::Ending::failed; });
}

std::string StudyProgress::text(std::size_t done, std::size_t all) {
  if (!first_) first_ = done - 1;
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const double left = elapsed / static_cast<double>(done - *first_) * static_cast<double>(all - done);
  return fmt::format("{} of {} points, {} left", done, all, duration_words(left));
}

}  // namespace seam::report
