// Metrics that a study defines itself: numbers of any recorded variable of a run, and of other metrics.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/formats/table.hpp"
#include "seam/record/compare.hpp"
#include "seam/study/expression.hpp"

namespace seam::study {

struct OwnMetric {
  enum class Kind {
    final_value,
    largest,
    smallest,
    range,             ///< the largest less the smallest
    mean,              ///< the integral divided by the time
    rms,               ///< root of the mean square
    integral,          ///< by the trapezoidal rule over the rows
    crossings,         ///< how often it crosses a level
    time_of_largest,   ///< the first time, as below
    time_of_smallest,  ///< s
    time_of_crossing,  ///< s, on the line between two rows
    comparison,        ///< with measured values
    expression         ///< of metrics before it and of names that vary
  };
  struct Crossing {
    double level = 0.0;
    enum class Direction { both, rising, falling } direction = Direction::both;
    enum class Which { first, last } which = Which::first;
  };
  struct Measured {
    enum class Error { rms, largest, nrmse_range, nrmse_deviation } error = Error::rms;
    std::string file;
    formats::Table table;  ///< the time, s, and the values
  };

  std::string name;
  Kind kind = Kind::final_value;
  Expression of;  ///< columns of the result, `time`, metrics before it, and names without a dot that vary
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();  ///< s
  Crossing crossing = {};
  Measured measured = {};
  base::Location where = {};
};

/// The columns that a metric needs: what is no constant and no name that has a number without them.
std::vector<std::string> columns_of(const OwnMetric& metric, const std::function<bool(const std::string&)>& has_number);

/// Evaluates the metrics of one run after the other. For one thread; the metrics must outlive it.
class MetricEvaluator {
 public:
  explicit MetricEvaluator(const std::vector<OwnMetric>& metrics) : metrics_(metrics), facts_(metrics.size()) {}

  /// One number a metric; NaN where it is not known, which a remark explains. The first column of the run is the time;
  /// `given` has the numbers of names that vary.
  std::vector<double> operator()(const formats::Table& run, const Lookup& given, std::vector<std::string>& remarks);

 private:
  /// Rows of a signal inside the time that is asked for.
  struct Signal {
    const double* times = nullptr;
    const double* values = nullptr;
    std::size_t count = 0;
  };
  Signal signal_of(const OwnMetric& metric, const formats::Table& run, const Lookup& given);
  double compared(const OwnMetric& metric, const formats::Table& run, const Signal& signal,
                  record::ReferenceFacts& facts, std::string& remark) const;
  double measure(std::size_t number, const formats::Table& run, const Lookup& given, std::string& remark);

  const std::vector<OwnMetric>& metrics_;
  std::vector<record::ReferenceFacts> facts_;  ///< of measured values
  std::vector<double> computed_;               ///< a signal that is no column
};

}  // namespace seam::study
