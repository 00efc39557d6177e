#include "seam/study/run_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "seam/base/error.hpp"
#include "seam/formats/json.hpp"
#include "seam/formats/number.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/study/measure.hpp"
#include "seam/study/row_file.hpp"
#include "seam/study/workers.hpp"

namespace seam::study {
namespace {

using formats::Value;

std::string with_ending(const std::string& file, const char* ending) {
  return (std::filesystem::path(file).parent_path() / std::filesystem::path(file).stem()).string() + ending;
}

void name_files(const Prepared& prepared, const StudySettings& settings, StudyResult& result) {
  std::string name = prepared.study.name;
  std::ranges::replace(name, '/', '_');
  result.file = settings.file.empty() ? name + ".csv" : settings.file;
  const bool is_csv = formats::table_format(result.file) == formats::TableFormat::csv;
  result.rows_file = is_csv ? result.file : with_ending(result.file, ".csv");
  result.summary_file = with_ending(result.file, ".summary.json");
  if (!prepared.trajectories.empty()) result.trajectory_file = with_ending(result.file, ".trajectories.h5");
  if (!prepared.study.sensitivities.empty()) result.sensitivity_file = with_ending(result.file, ".sensitivities.csv");
  std::vector<std::string> inputs = {prepared.study.path, prepared.study.system};
  for (const OwnMetric& metric : prepared.study.own_metrics) inputs.push_back(metric.measured.file);
  base::Problems problems;
  for (const std::string& written :
       {result.file, result.rows_file, result.summary_file, result.sensitivity_file, result.trajectory_file}) {
    for (const std::string& read : inputs) {
      std::error_code unknown;
      if (std::filesystem::equivalent(written, read, unknown))
        problems.add({}, fmt::format("the result would replace \"{}\", which the study reads", read),
                     "give another file with -o");
    }
  }
  base::require_none(problems);
}

/// The rows that are there already and may stay.
std::vector<Row> rows_before(const Prepared& prepared, const StudySettings& settings, const StudyResult& result) {
  if (!std::filesystem::exists(result.rows_file)) return {};
  if (settings.existing == StudySettings::Existing::replaced) return {};
  if (settings.existing == StudySettings::Existing::refused) {
    base::Problems problems;
    problems.add(prepared.study.where, fmt::format("there is a result already: \"{}\"", result.rows_file),
                 "go on with it by --resume, begin again with --force, or give another file with -o");
    throw base::ProblemsFound(problems);
  }
  require_same_identity(prepared, result.summary_file);
  return rows_left(prepared, result.rows_file);
}

Value number_or_text(double number) {
  if (std::isfinite(number)) return number;
  if (std::isnan(number)) return nullptr;
  return number > 0.0 ? "inf" : "-inf";
}

Value line_value(const Summary& summary, const SummaryLine& line) {
  Value group = Value::object();
  for (std::size_t i = 0; i < summary.by.size(); ++i) group.add(summary.by[i], line.group[i]);
  Value metrics = Value::object();
  for (const MetricSummary& metric : line.metrics) {
    Value over = Value::array();
    for (std::size_t i = 0; i < metric.limits.size(); ++i)
      over.push(Value::object({{"limit", metric.limits[i]}, {"cases", metric.over[i]}}));
    Value quantiles = Value::array();
    for (std::size_t i = 0; i < summary.shares.size(); ++i)
      quantiles.push(Value::object({{"share", summary.shares[i]}, {"value", number_or_text(metric.quantiles[i])}}));
    metrics.add(metric.column, Value::object({{"known", metric.known}, {"over", over}, {"quantiles", quantiles}}));
  }
  return Value::object({{"group", group},
                        {"method", line.method},
                        {"cases", line.cases},
                        {"diverged", line.diverged},
                        {"failed", line.failed},
                        {"metrics", metrics}});
}

Value sensitivity_value(const Study& study, const SensitivityLine& line) {
  const std::vector<std::string> paths = varied_paths(study);
  Value group = Value::object();
  for (std::size_t i = 0; i < line.group.size(); ++i) group.add(paths[i], line.group[i]);
  return Value::object({{"group", group},
                        {"method", line.method},
                        {"metric", line.metric},
                        {"path", line.path},
                        {"first_order", number_or_text(line.first_order.value)},
                        {"first_order_error", number_or_text(line.first_order.error)},
                        {"total", number_or_text(line.total.value)},
                        {"total_error", number_or_text(line.total.error)},
                        {"samples", line.samples}});
}

void write_summary(const Prepared& prepared, const StudyResult& result) {
  formats::write_text(result.summary_file, formats::to_json(summary_value(prepared, result)) + "\n");
}

int workers_for(const StudySettings& settings, std::size_t points) {
  const auto cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t asked = settings.workers > 0 ? static_cast<std::size_t>(settings.workers) : cores;
  return static_cast<int>(std::clamp<std::size_t>(points, 1, asked));
}

/// Behind the fields of a row on its way from a worker: each trajectory as its numbers.
constexpr char before_trajectory = '\x1f';

std::string trajectories_text(const Row& row) {
  std::string text;
  for (const std::vector<double>& trajectory : row.trajectories) {
    text += before_trajectory;
    for (const double number : trajectory) text += formats::number_text(number) + " ";
  }
  return text;
}

/// Of a line as far as it says; takes them from its end.
std::vector<std::vector<double>> take_trajectories(std::string& line) {
  std::vector<std::vector<double>> trajectories;
  const std::size_t end = std::min(line.find(before_trajectory), line.size());
  for (std::size_t at = end; at < line.size(); ++at) {
    if (line[at] == before_trajectory) {
      trajectories.emplace_back();
      continue;
    }
    const std::size_t space = line.find(' ', at);
    trajectories.back().push_back(number_in(line.substr(at, space - at)).value_or(NAN));
    at = space;
  }
  line.resize(end);
  return trajectories;
}

void work(const Prepared& prepared, const WorkOrder& order) {
  if (prepared.kind == Kind::native) return work_by_threads(order);
  Transport transport;
  transport.line = [&](const Row& row) {
    std::string line = prepared.sheet.line(row);
    return line.insert(line.size() - 1, trajectories_text(row));
  };
  transport.row = [&](std::string line, std::size_t point) {
    std::vector<std::vector<double>> trajectories = take_trajectories(line);
    auto row = prepared.sheet.row(line);
    if (!row) throw base::Error(base::Failure::internal, "a worker sent a row that cannot be read");
    row->varied = point_of(prepared.study, point).texts;
    row->trajectories = std::move(trajectories);
    return std::move(*row);
  };
  transport.lost = [&](std::size_t point, const std::string& reason) {
    return failed_rows(prepared.study, prepared.sheet, point, reason);
  };
  work_by_processes(order, transport);
}

}  // namespace

Value summary_value(const Prepared& prepared, const StudyResult& result) {
  Value lines = Value::array();
  for (const SummaryLine& line : result.summary.lines) lines.push(line_value(result.summary, line));
  Value value = Value::object({{"study", prepared.study.name},
                               {"system", std::filesystem::path(prepared.study.system).filename().string()},
                               {"complete", result.complete},
                               {"file", std::filesystem::path(result.file).filename().string()},
                               {"cases", result.rows.size()},
                               {"methods", Value::array(prepared.sheet.methods)},
                               {"endings", Value::array(ending_words())},
                               {"identity", identity_value(prepared)},
                               {"excluded", result.summary.excluded},
                               {"summary", std::move(lines)}});
  if (prepared.study.sensitivities.empty()) return value;
  Value indices = Value::array();
  for (const SensitivityLine& line : result.sensitivities) indices.push(sensitivity_value(prepared.study, line));
  value.add("sensitivities", std::move(indices));
  return value;
}

StudyResult run_study(const Prepared& prepared, const StudySettings& settings) {
  StudyResult result;
  result.points = prepared.points;
  name_files(prepared, settings, result);
  result.rows = rows_before(prepared, settings, result);
  result.points_before = result.rows.size() / prepared.study.methods.size();
  RowFile file(prepared.sheet, result.rows_file, result.rows);
  std::optional<formats::Hdf5Matrices> trajectories;
  if (!result.trajectory_file.empty())
    trajectories.emplace(result.trajectory_file, prepared.trajectories,
                         formats::Hdf5Matrices::Kept{result.rows.size()});
  write_summary(prepared, result);
  WorkOrder order;
  order.first = result.points_before;
  order.end = prepared.points;
  order.workers = result.workers = workers_for(settings, order.end - order.first);
  order.stop_asked = settings.stop_asked;
  order.begin_process = settings.begin_worker;
  order.hire = [&]() -> Work {
    const auto runner = std::make_shared<PointRunner>(prepared.study, prepared.sheet, settings.stop_asked);
    return [runner](std::size_t point) { return runner->run(point); };
  };
  order.deliver = [&](std::size_t point, std::vector<Row> rows) {
    file.add(rows);
    for (Row& row : rows) {
      row.trajectories.resize(prepared.trajectories.size());  // a case that failed has none
      if (trajectories) trajectories->add(std::exchange(row.trajectories, {}));
    }
    result.rows.insert(result.rows.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    if (settings.progress) settings.progress(point + 1, prepared.points);
  };
  if (order.first < order.end) work(prepared, order);
  file.close();
  if (trajectories) trajectories->close();
  result.complete = result.rows.size() == prepared.points * prepared.study.methods.size();
  result.summary = summarise(prepared.study, prepared.sheet, result.rows);
  result.sensitivities = find_sensitivities(prepared.study, prepared.sheet, result.rows);
  if (!result.sensitivity_file.empty())
    formats::write_text(result.sensitivity_file, sensitivity_table(prepared.study, result.sensitivities));
  if (result.complete && result.file != result.rows_file) write_numbers(prepared, result.file, result.rows);
  write_summary(prepared, result);
  return result;
}

}  // namespace seam::study
