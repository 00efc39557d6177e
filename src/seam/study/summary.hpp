// What the rows of a study say together: counts over thresholds and quantiles, group by group, method by method.
#pragma once

#include <string>
#include <vector>

#include "seam/study/sheet.hpp"

namespace seam::study {

struct MetricSummary {
  std::string column;
  std::size_t known = 0;          ///< rows that have this number
  std::vector<double> limits;     ///< thresholds that were asked for
  std::vector<std::size_t> over;  ///< rows beyond each
  std::vector<double> quantiles;  ///< at the shares that were asked for; NaN if no row has the number
};

struct SummaryLine {
  std::vector<std::string> group;  ///< values of the paths it is grouped by
  std::string method;
  std::size_t cases = 0, diverged = 0, failed = 0;
  std::vector<MetricSummary> metrics;
};

struct Summary {
  std::vector<std::string> by;
  std::vector<double> shares;  ///< of the quantiles
  std::vector<SummaryLine> lines;
  std::size_t excluded = 0;  ///< cases that do not count
};

/// Linear between the sorted values; a share of 0.5 is the median. Infinite values are the largest there are.
double quantile(std::vector<double> values, double share);

/// A case that diverged has infinite errors, so it lies beyond every threshold; one that failed has no numbers and is
/// only counted.
Summary summarise(const Study& study, const Sheet& sheet, const std::vector<Row>& rows);

}  // namespace seam::study
