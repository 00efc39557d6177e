// Which share of a metric's variance each draw has: by itself, and together with others.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "seam/study/sheet.hpp"

namespace seam::study {

struct Estimate {
  double value = 0.0;
  double error = 0.0;  ///< standard error, as if the samples were drawn independently
};

struct SensitivityIndices {
  Estimate first_order;  ///< what the variance would lose on average if the draw were known
  Estimate total;        ///< what would be left of it if all others were known
};

/// A metric of samples: of A, of B, and of A with one draw from B.
struct VariantValues {
  std::vector<double> a, b, mixed;
};

/// The variance of A and B together is what is shared out. First order: Saltelli et al. 2010, Table 2 (b), of values
/// less their mean. Total: Jansen 1999 (there (f)). NaN if nothing varies.
SensitivityIndices sensitivity_indices(const VariantValues& values);

struct SensitivityLine {
  std::vector<std::string> group;  ///< one for each path that stands in a list
  std::string method, metric;
  std::string path;  ///< of the draw
  Estimate first_order, total;
  std::size_t samples = 0;  ///< whose points all have a finite number
};

/// For every combination of the lists, every method and every metric that is asked for: one line a draw.
std::vector<SensitivityLine> find_sensitivities(const Study& study, const Sheet& sheet, const std::vector<Row>& rows);

/// As CSV.
std::string sensitivity_table(const Study& study, const std::vector<SensitivityLine>& lines);

}  // namespace seam::study
