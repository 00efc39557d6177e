#include "seam/study/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "seam/formats/csv.hpp"
#include "seam/formats/number.hpp"
#include "seam/load/system_values.hpp"

namespace seam::study {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

bool is_time(const std::string& path) {
  return path == "plan.step" || path == "experiment.start" || path == "experiment.stop" || path == "record.every";
}

struct NumberWithUnit {
  std::optional<double> number;
  std::string unit;
};

/// Times are in seconds; everything else as it is written.
NumberWithUnit read(const std::string& path, const std::string& text) {
  if (is_time(path)) {
    base::Problems unheard;
    const auto time = load::read_time_flag(path, text, unheard);
    return {time ? std::optional(time->seconds) : std::nullopt, "s"};
  }
  const std::string_view bare = load::trimmed(text);
  const std::size_t length = formats::number_length(bare);
  const formats::NumberRead number = formats::read_number(bare.substr(0, length));
  if (length == 0 || number.reading != formats::Reading::number) return {};
  return {number.number, std::string(load::trimmed(bare.substr(length)))};
}

/// A column of numbers only if all of them have one unit.
VariedColumn column_of(const std::string& path, const std::vector<std::string>& texts) {
  VariedColumn column{path, read(path, texts.front()).unit, true};
  for (const std::string& text : texts) {
    const NumberWithUnit value = read(path, text);
    column.numeric = column.numeric && value.number && value.unit == column.unit;
  }
  if (!column.numeric) column.unit.clear();
  return column;
}

std::string titled(const std::string& name, const std::string& unit) {
  const std::string title = unit.empty() ? name : fmt::format("{} [{}]", name, unit);
  return title.find_first_of(",\"") == std::string::npos ? title : formats::csv_quoted(title);
}

/// The fields of a line; a quote inside quotes is doubled.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

std::string metric_unit(Metric metric) {
  if (metric == Metric::energy_added) return "J";
  return metric == Metric::wall_time ? "s" : "";
}

}  // namespace

const std::vector<std::string>& ending_words() {
  static const std::vector<std::string> words = {"done", "ended", "diverged", "failed", "excluded"};
  return words;
}

std::optional<double> number_in(const std::string& field) {
  if (field == "nan") return not_known;
  if (field == "inf") return std::numeric_limits<double>::infinity();
  if (field == "-inf") return -std::numeric_limits<double>::infinity();
  const formats::NumberRead read = formats::read_number(field);
  return read.reading == formats::Reading::number ? std::optional(read.number) : std::nullopt;
}

std::size_t Sheet::metric(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::find(metrics, name) - metrics.begin());
}

double Sheet::number(std::size_t column, const std::string& text) const {
  return varied[column].numeric ? read(varied[column].name, text).number.value_or(not_known) : not_known;
}

std::string Sheet::header() const {
  std::string text = "case,point,method";
  for (const VariedColumn& column : varied) text += "," + titled(column.name, column.unit);
  text += ",ending";
  for (std::size_t i = 0; i < metrics.size(); ++i) text += "," + titled(metrics[i], units[i]);
  return text + ",reason\n";
}

std::string Sheet::varied_fields(const std::vector<std::string>& texts) const {
  std::string fields;
  for (std::size_t i = 0; i < varied.size(); ++i) {
    fields += ",";
    fields += varied[i].numeric ? formats::number_text(number(i, texts[i])) : formats::csv_quoted(texts[i]);
  }
  return fields;
}

std::string Sheet::line(const Row& row, std::string_view varied_fields) const {
  std::string text = fmt::format("{},{},{}{}", row.point * methods.size() + row.method + 1, row.point + 1,
                                 formats::csv_quoted(methods[row.method]), varied_fields);
  text += "," + formats::csv_quoted(ending_words()[static_cast<std::size_t>(row.ending)]);
  for (const double metric : row.metrics) text += "," + formats::number_text(metric);
  return text + "," + formats::csv_quoted(row.reason) + "\n";
}

std::optional<Row> Sheet::row(std::string_view line) const {
  const std::vector<std::string> fields = fields_of(line);
  if (fields.size() != 3 + varied.size() + 1 + metrics.size() + 1) return std::nullopt;
  const auto number = number_in(fields[0]), point = number_in(fields[1]);
  const auto method = std::ranges::find(methods, fields[2]);
  const auto ending = std::ranges::find(ending_words(), fields[3 + varied.size()]);
  if (!number || !point || !(*point >= 1.0) || method == methods.end() || ending == ending_words().end())
    return std::nullopt;
  Row row;
  row.point = static_cast<std::size_t>(*point) - 1;
  row.method = static_cast<std::size_t>(method - methods.begin());
  if (*number != static_cast<double>(row.point * methods.size() + row.method + 1)) return std::nullopt;
  row.varied.assign(fields.begin() + 3, fields.begin() + 3 + static_cast<std::ptrdiff_t>(varied.size()));
  row.ending = static_cast<Ending>(ending - ending_words().begin());
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const auto metric = number_in(fields[4 + varied.size() + i]);
    if (!metric) return std::nullopt;
    row.metrics.push_back(*metric);
  }
  row.reason = fields.back();
  return row;
}

Sheet make_sheet(const Study& study, std::vector<std::string> compared) {
  Sheet sheet;
  for (const Method& method : study.methods) sheet.methods.push_back(method.name);
  for (const Axis& axis : study.axes) {
    for (std::size_t i = 0; i < axis.paths.size(); ++i) {
      std::vector<std::string> texts;
      for (const auto& values : axis.values) texts.push_back(values[i].text);
      sheet.varied.push_back(column_of(axis.paths[i], texts));
    }
  }
  for (const Draw& draw : study.draws) {
    std::vector<std::string> texts;
    for (const system::Value& choice : draw.distribution.choices) texts.push_back(choice.text);
    if (draw.distribution.kind != Distribution::Kind::choice) texts = {"1 " + draw.distribution.unit};
    sheet.varied.push_back(column_of(draw.path, texts));
  }
  for (const Metric metric : study.metrics) {
    const std::string& word = metric_words()[static_cast<std::size_t>(metric)];
    if (metric != Metric::nrmse_range_each && metric != Metric::nrmse_deviation_each) {
      sheet.metrics.push_back(word);
      sheet.units.push_back(metric_unit(metric));
      continue;
    }
    for (const std::string& variable : compared) {
      sheet.metrics.push_back(word.substr(0, word.size() - 5) + " " + variable);
      sheet.units.emplace_back();
    }
  }
  for (const OwnMetric& metric : study.own_metrics) {
    sheet.metrics.push_back(metric.name);
    sheet.units.emplace_back();
  }
  sheet.compared = std::move(compared);
  return sheet;
}

}  // namespace seam::study
