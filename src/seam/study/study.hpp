// A study as its file says it: a system, what varies, against what it is compared, and what is reported of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/engine/predict/reference.hpp"
#include "seam/study/own_metric.hpp"
#include "seam/study/sampling.hpp"

namespace seam::study {

/// Paths that take one value after the other, together. A path is one of `--set`, plan.step, design, or a name without
/// a dot that expressions may use.
struct Axis {
  std::vector<std::string> paths;
  std::vector<std::vector<system::Value>> values;  ///< each with one a path, whose text is as a user writes it
  base::Location where;
};

/// A path whose value is drawn anew for every sample.
struct Draw {
  std::string path;
  Distribution distribution;
  base::Location where;
};

/// path: value, in which {expression} stands for its number.
struct Assignment {
  std::string path;
  std::string text;                       ///< as written
  system::Value value = {};               ///< of all paths but those that say how to couple
  engine::CouplingChanges coupling = {};  ///< of these
  base::Location where = {};
};

/// One way to couple, run beside the others in every point.
struct Method {
  std::string name;
  engine::CouplingChanges coupling;
  enum class Exchange {
    as_planned,
    none  ///< the control: what no coupling at all would give
  } exchange = Exchange::as_planned;
};

struct ReferenceChoice {
  enum class Kind { found, run } kind = Kind::found;
  engine::ReferenceRequest request;     ///< found: monolithic, or by halving the step
  std::vector<Assignment> assignments;  ///< run: a run with these changes
};

enum class Metric {
  nrmse_range,
  nrmse_deviation,
  nrmse_range_each,  ///< one column a variable
  nrmse_deviation_each,
  states_range,
  states_deviation,
  radius,
  energy_added,
  wall_time
};
/// As it is written in a study.
const std::vector<std::string>& metric_words();
/// Whether it needs a reference.
bool is_accuracy(Metric metric);

struct Threshold {
  std::string column;
  std::vector<double> limits;
  base::Location where;
};

struct SummaryRequest {
  std::optional<std::vector<std::string>> by;  ///< paths; none: all that vary in a list
  std::vector<base::Location> by_where;
  std::vector<Threshold> over;
  std::vector<double> quantiles{0.5};
};

/// A column of the result whose variance is shared out among the draws.
struct Sensitivity {
  std::string column;
  base::Location where;
};

struct Study {
  std::string path;  ///< of its file
  std::string name;
  std::string system;  ///< path of its file
  std::vector<Assignment> assignments;
  std::vector<Axis> axes;
  std::vector<Draw> draws;
  std::size_t samples = 1;
  Sampling sampling = Sampling::random;
  std::optional<std::uint64_t> seed;
  std::vector<Sensitivity> sensitivities;  ///< metrics whose indices are wanted; none: samples are single points
  std::vector<Method> methods;
  ReferenceChoice reference;
  std::vector<std::string> variables;  ///< patterns of what is compared; none: as the system says
  enum class ComparedAt { communication_points, micro_steps } compared_at = ComparedAt::communication_points;
  std::optional<double> excluded_radius;  ///< of the reference's step: points that reach it do not count
  std::vector<Metric> metrics;
  std::vector<OwnMetric> own_metrics;
  std::vector<std::string> trajectories = {};  ///< variables that are kept of every case: patterns in the file
  std::vector<base::Location> trajectories_where = {};
  std::vector<std::string> recorded = {};  ///< columns of a case, if more is needed than what is compared
  SummaryRequest summary;
  double growth_limit = 1e30;
  std::string identity;  ///< names everything in the file that decides the rows
  base::Location where;

  bool wants(Metric metric) const;
  bool wants_reference() const;
  /// Whether every case is recorded for more than its errors.
  bool wants_rows() const { return !own_metrics.empty() || !trajectories.empty(); }
  /// Whether a name has a number before a run: it has no dot, and it varies or is set.
  bool gives(const std::string& asked) const;
};

}  // namespace seam::study
