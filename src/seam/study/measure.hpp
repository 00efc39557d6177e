// One point of a study: its reference, a run with every method, and the numbers that are reported of each.
#pragma once

#include <atomic>
#include <vector>

#include "seam/engine/open/opener.hpp"
#include "seam/formats/table.hpp"
#include "seam/study/sheet.hpp"

namespace seam::study {

/// Measures points one after the other, and keeps what the next one may need again. For one thread.
class PointRunner {
 public:
  /// Study and sheet must outlive it.
  PointRunner(const Study& study, const Sheet& sheet, const std::atomic<bool>* stop_asked);

  /// One row a method. Nothing is thrown: what goes wrong is the reason in a row. Empty if it was asked to stop.
  std::vector<Row> run(std::size_t point);

 private:
  const Study& study_;
  const Sheet& sheet_;
  const std::atomic<bool>* stop_asked_;
  engine::Opener opener_;
  std::vector<formats::Table> spare_;  ///< whose memory the next runs use
  MetricEvaluator own_metrics_;
};

/// The rows of a point that cannot be run, with the reason.
std::vector<Row> failed_rows(const Study& study, const Sheet& sheet, std::size_t point, const std::string& reason);

}  // namespace seam::study
