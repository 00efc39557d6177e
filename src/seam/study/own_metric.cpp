#include "seam/study/own_metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "seam/base/error.hpp"

namespace seam::study {
namespace {

using MetricKind = OwnMetric::Kind;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// By the trapezoidal rule. Two rows at one time are a jump and add nothing.
template <typename Function>
double integral(std::span<const double> times, std::span<const double> values, const Function& function) {
  double sum = 0.0;
  for (std::size_t i = 1; i < times.size(); ++i)
    sum += 0.5 * (times[i] - times[i - 1]) * (function(values[i - 1]) + function(values[i]));
  return sum;
}

/// The mean over time; of a single instant its last value.
template <typename Function>
double mean(std::span<const double> times, std::span<const double> values, const Function& function) {
  const double duration = times.back() - times.front();
  return duration > 0.0 ? integral(times, values, function) / duration : function(values.back());
}

double itself(double value) { return value; }
double square(double value) { return value * value; }

struct Extremes {
  std::size_t smallest = 0, largest = 0;  ///< rows, the first of equal ones
};

/// None if there is a value that is not a number.
std::optional<Extremes> extremes(std::span<const double> values) {
  Extremes found;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) return std::nullopt;
    if (values[i] < values[found.smallest]) found.smallest = i;
    if (values[i] > values[found.largest]) found.largest = i;
  }
  return found;
}

struct Crossings {
  std::size_t count = 0;
  double first = no_number, last = no_number;  ///< s
};

/// A crossing lies between two values on different sides of the level. Between two rows it is where their line meets
/// the level; if rows lie on the level, it is the first of them.
Crossings crossings(std::span<const double> times, std::span<const double> values, const OwnMetric::Crossing& asked) {
  using Direction = OwnMetric::Crossing::Direction;
  Crossings found;
  std::optional<std::size_t> before;  // the last row that is not on the level
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double here = values[i] - asked.level;
    if (here == 0.0) continue;
    const double there = before ? values[*before] - asked.level : here;
    const bool rising = there < 0.0 && here > 0.0, falling = there > 0.0 && here < 0.0;
    if ((rising && asked.direction != Direction::falling) || (falling && asked.direction != Direction::rising)) {
      const std::size_t next = *before + 1;
      const double share = next == i ? there / (there - here) : 1.0;
      const double time = times[*before] + share * (times[next] - times[*before]);
      if (found.count++ == 0) found.first = time;
      found.last = time;
    }
    before = i;
  }
  return found;
}

}  // namespace

std::vector<std::string> columns_of(const OwnMetric& metric,
                                    const std::function<bool(const std::string&)>& has_number) {
  std::vector<std::string> columns;
  if (metric.kind == MetricKind::expression) return columns;
  for (const Expression::Name& name : metric.of.names()) {
    if (name.text != "time" && !constant(name.text) && !has_number(name.text)) columns.push_back(name.text);
  }
  return columns;
}

std::vector<double> MetricEvaluator::operator()(const formats::Table& run, const Lookup& given,
                                                std::vector<std::string>& remarks) {
  std::vector<double> values;
  const Lookup known = [&](const std::string& name) -> std::optional<double> {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (metrics_[i].name == name) return values[i];
    }
    return given(name);
  };
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    const OwnMetric& metric = metrics_[i];
    std::string remark;
    double value = no_number;
    if (metric.kind == MetricKind::expression) {
      std::vector<double> numbers;
      for (const Expression::Name& name : metric.of.names()) {
        const auto number = known(name.text);
        numbers.push_back(number ? *number : constant(name.text).value_or(no_number));
      }
      value = metric.of.value(numbers.data());
    } else {
      value = measure(i, run, known, remark);
    }
    if (remark.empty() && std::isnan(value)) remark = "it is not a number";
    if (!remark.empty()) remarks.push_back(fmt::format("{}: {}", metric.name, remark));
    values.push_back(value);
  }
  return values;
}

MetricEvaluator::Signal MetricEvaluator::signal_of(const OwnMetric& metric, const formats::Table& run,
                                                   const Lookup& given) {
  const std::vector<double>& times = run.columns[0];
  // rows lie at start + n*step: a time that a user writes may be off by the rounding of that
  const double instant = times.empty() ? 0.0 : 1e-9 * (times.back() - times.front());
  const auto begin = std::ranges::lower_bound(times, metric.from - instant);
  const auto end = std::upper_bound(begin, times.end(), metric.to + instant);
  const auto first = static_cast<std::size_t>(begin - times.begin());
  const auto count = static_cast<std::size_t>(end - begin);
  std::vector<const double*> columns;
  std::vector<double> numbers;
  for (const Expression::Name& name : metric.of.names()) {
    const std::vector<double>* const column = name.text == "time" ? &times : run.find(name.text);
    columns.push_back(column ? column->data() + first : nullptr);
    numbers.push_back(column ? 0.0 : given(name.text).value_or(constant(name.text).value_or(no_number)));
  }
  if (metric.of.single_name() && columns[0]) return {times.data() + first, columns[0], count};
  computed_.resize(count);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i]) numbers[i] = columns[i][row];
    }
    computed_[row] = metric.of.value(numbers.data());
  }
  return {times.data() + first, computed_.data(), count};
}

double MetricEvaluator::compared(const OwnMetric& metric, const formats::Table& run, const Signal& signal,
                                 record::ReferenceFacts& facts, std::string& remark) const {
  const formats::Table& measured = metric.measured.table;
  const std::string* const name = metric.of.single_name();
  const std::vector<double>* const column = name ? run.find(*name) : nullptr;
  const std::string unit = column ? run.units[static_cast<std::size_t>(column - run.columns.data())] : "";
  formats::Table rows{{"time", measured.names[1]},
                      {"s", unit},
                      {{signal.times, signal.times + signal.count}, {signal.values, signal.values + signal.count}}};
  record::convert_units(rows, measured);
  base::Problems problems;
  const record::Comparison comparison = record::compare(rows, measured, facts, problems);
  if (!problems.empty()) {
    remark = problems.all().front().what;
    return no_number;
  }
  const record::VariableError& error = comparison.variables.front();
  switch (metric.measured.error) {
    case OwnMetric::Measured::Error::rms:
      return error.rms;
    case OwnMetric::Measured::Error::largest:
      return error.largest;
    case OwnMetric::Measured::Error::nrmse_range:
      return error.nrmse_range.value_or(no_number);
    case OwnMetric::Measured::Error::nrmse_deviation:
      return error.nrmse_deviation.value_or(no_number);
  }
  return no_number;
}

double MetricEvaluator::measure(std::size_t number, const formats::Table& run, const Lookup& given,
                                std::string& remark) {
  const OwnMetric& metric = metrics_[number];
  const Signal signal = signal_of(metric, run, given);
  if (signal.count == 0) {
    remark = "there is no row in its time";
    return no_number;
  }
  const std::span times(signal.times, signal.count), values(signal.values, signal.count);
  const auto extreme = [&](const auto& of) {
    const auto found = extremes(values);
    return found ? of(*found) : no_number;
  };
  switch (metric.kind) {
    case MetricKind::final_value:
      return values.back();
    case MetricKind::largest:
      return extreme([&](const Extremes& rows) { return values[rows.largest]; });
    case MetricKind::smallest:
      return extreme([&](const Extremes& rows) { return values[rows.smallest]; });
    case MetricKind::range:
      return extreme([&](const Extremes& rows) { return values[rows.largest] - values[rows.smallest]; });
    case MetricKind::mean:
      return mean(times, values, itself);
    case MetricKind::rms:
      return std::sqrt(mean(times, values, square));
    case MetricKind::integral:
      return integral(times, values, itself);
    case MetricKind::crossings:
      return static_cast<double>(crossings(times, values, metric.crossing).count);
    case MetricKind::time_of_largest:
      return extreme([&](const Extremes& rows) { return times[rows.largest]; });
    case MetricKind::time_of_smallest:
      return extreme([&](const Extremes& rows) { return times[rows.smallest]; });
    case MetricKind::time_of_crossing: {
      const Crossings found = crossings(times, values, metric.crossing);
      if (found.count == 0) remark = "the level is not crossed";
      return metric.crossing.which == OwnMetric::Crossing::Which::first ? found.first : found.last;
    }
    case MetricKind::comparison:
      return compared(metric, run, signal, facts_[number], remark);
    case MetricKind::expression:
      break;
  }
  return no_number;
}

}  // namespace seam::study
