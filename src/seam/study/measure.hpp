// One point of a study: its reference, a run with every method, and the numbers that are told of each.
#pragma once

#include <atomic>
#include <vector>

#include "seam/study/sheet.hpp"

namespace seam::study {

/// One row a method. Nothing is thrown: what goes wrong is the reason in a row. Empty if it was asked to stop.
std::vector<Row> measure_point(const Study& study, const Sheet& sheet, std::size_t point,
                               const std::atomic<bool>* stop_asked);

/// The rows of a point nobody can run, with the reason.
std::vector<Row> failed_rows(const Study& study, const Sheet& sheet, std::size_t point, const std::string& reason);

}  // namespace seam::study
