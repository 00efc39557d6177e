// Points shared among workers. Their rows are handed over in the order of points, whichever was first.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "seam/study/sheet.hpp"

namespace seam::study {

/// The rows of a point; empty if it was asked to stop.
using Work = std::function<std::vector<Row>(std::size_t point)>;

inline constexpr char begins_last_words = '!';

struct WorkOrder {
  std::size_t first = 0, end = 0;  ///< points
  int workers = 1;
  const std::atomic<bool>* stop_asked = nullptr;
  /// Called first in every process of a worker. What it writes to `words` before it ends on its way, after
  /// `begins_last_words`, is the reason why its point has no numbers.
  std::function<void(int words)> begin_process = {};
  /// Called once by every worker, for the work it will do.
  std::function<Work()> hire;
  /// In order, by the thread that called.
  std::function<void(std::size_t point, std::vector<Row> rows)> deliver;
};

void work_by_threads(const WorkOrder& order);

/// How rows travel between processes, and what becomes of a point whose process died.
struct Transport {
  std::function<std::string(const Row&)> line;                  ///< with a line end
  std::function<Row(std::string line, std::size_t point)> row;  ///< back
  std::function<std::vector<Row>(std::size_t point, const std::string& reason)> lost;
};

/// Every worker is a copy of this process: what a stranger's code does in it, up to a crash, stays there.
void work_by_processes(const WorkOrder& order, const Transport& transport);

}  // namespace seam::study
