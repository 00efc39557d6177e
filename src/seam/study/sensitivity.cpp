#include "seam/study/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/formats/csv.hpp"
#include "seam/formats/number.hpp"

namespace seam::study {
namespace {

/// The mean of terms and its standard error, both divided by the variance.
template <typename Term>
Estimate mean_of(std::size_t count, double variance, const Term& term) {
  const auto n = static_cast<double>(count);
  double sum = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += term(i);
  const double mean = sum / n;
  for (std::size_t i = 0; i < count; ++i) squares += (term(i) - mean) * (term(i) - mean);
  return {mean / variance, std::sqrt(squares / n / std::max(1.0, n - 1.0)) / variance};
}

/// The rows of the samples of one combination of the lists, with one method.
class Samples {
 public:
  Samples(const Study& study, const std::vector<Row>& rows, std::size_t group, std::size_t method)
      : rows_(rows), variants_(variants_of_a_sample(study)), methods_(study.methods.size()), method_(method) {
    const std::size_t begin = group * study.samples;
    const std::size_t whole = rows.size() / methods_ / variants_;
    first_ = std::min(begin, whole);
    count_ = std::min(begin + study.samples, whole) - first_;
  }

  /// Of those samples whose points all have a finite number.
  VariantValues values(std::size_t metric, std::size_t draw) const {
    VariantValues found;
    for (std::size_t sample = 0; sample < count_; ++sample) {
      const auto of = [&](std::size_t variant) {
        return rows_[((first_ + sample) * variants_ + variant) * methods_ + method_].metrics[metric];
      };
      bool complete = true;
      for (std::size_t variant = 0; variant < variants_; ++variant) complete = complete && std::isfinite(of(variant));
      if (!complete) continue;
      found.a.push_back(of(0));
      found.b.push_back(of(1));
      found.mixed.push_back(of(2 + draw));
    }
    return found;
  }

 private:
  const std::vector<Row>& rows_;
  std::size_t variants_, methods_, method_;
  std::size_t first_ = 0, count_ = 0;
};

std::string field(const std::string& text) {
  return text.find_first_of(",\"") == std::string::npos ? text : formats::csv_quoted(text);
}

}  // namespace

SensitivityIndices sensitivity_indices(const VariantValues& values) {
  const std::vector<double>&a = values.a, &b = values.b, &mixed = values.mixed;
  constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
  const std::size_t count = a.size();
  double mean = 0.0, variance = 0.0;
  for (std::size_t i = 0; i < count; ++i) mean += a[i] + b[i];
  mean /= 2.0 * static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) variance += (a[i] - mean) * (a[i] - mean) + (b[i] - mean) * (b[i] - mean);
  variance /= 2.0 * static_cast<double>(count);
  if (!(variance > 0.0)) return {{not_known, not_known}, {not_known, not_known}};
  return {mean_of(count, variance, [&](std::size_t i) { return (b[i] - mean) * (mixed[i] - a[i]); }),
          mean_of(count, variance, [&](std::size_t i) { return 0.5 * (a[i] - mixed[i]) * (a[i] - mixed[i]); })};
}

std::vector<SensitivityLine> find_sensitivities(const Study& study, const Sheet& sheet, const std::vector<Row>& rows) {
  std::vector<SensitivityLine> lines;
  if (study.sensitivities.empty()) return lines;
  const std::size_t points_a_group = study.samples * variants_of_a_sample(study);
  const std::size_t lists = varied_paths(study).size() - study.draws.size();
  for (std::size_t group = 0; group * points_a_group < count_points(study); ++group) {
    std::vector<std::string> texts = point_of(study, group * points_a_group).texts;
    texts.resize(lists);
    for (std::size_t method = 0; method < study.methods.size(); ++method) {
      const Samples samples(study, rows, group, method);
      for (const Sensitivity& wanted : study.sensitivities) {
        for (std::size_t draw = 0; draw < study.draws.size(); ++draw) {
          const VariantValues values = samples.values(sheet.metric(wanted.column), draw);
          const SensitivityIndices indices = sensitivity_indices(values);
          lines.push_back({texts, study.methods[method].name, wanted.column, study.draws[draw].path,
                           indices.first_order, indices.total, values.a.size()});
        }
      }
    }
  }
  return lines;
}

std::string sensitivity_table(const Study& study, const std::vector<SensitivityLine>& lines) {
  std::string text;
  const std::vector<std::string> paths = varied_paths(study);
  for (std::size_t i = 0; i + study.draws.size() < paths.size(); ++i) text += field(paths[i]) + ",";
  text += "method,metric,path,first_order,first_order_error,total,total_error,samples\n";
  for (const SensitivityLine& line : lines) {
    for (const std::string& value : line.group) text += field(value) + ",";
    text += fmt::format("{},{},{}", field(line.method), field(line.metric), field(line.path));
    for (const Estimate& estimate : {line.first_order, line.total})
      text += "," + formats::number_text(estimate.value) + "," + formats::number_text(estimate.error);
    text += fmt::format(",{}\n", line.samples);
  }
  return text;
}

}  // namespace seam::study
