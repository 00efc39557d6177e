// Runs a study from its first case to its last, or goes on where it was left.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "seam/formats/value.hpp"
#include "seam/study/prepare.hpp"
#include "seam/study/sensitivity.hpp"
#include "seam/study/summary.hpp"

namespace seam::study {

struct StudySettings {
  std::string file;  ///< result (.csv, .h5, .mat); empty: <name>.csv in the current folder
  int workers = 0;   ///< 0: one a core
  enum class Existing {
    refused,  ///< a result that is there already is a problem
    resumed,  ///< goes on behind its last whole point, if it is of the same study
    replaced
  } existing = Existing::refused;
  const std::atomic<bool>* stop_asked = nullptr;
  /// Called in every process that runs cases with FMUs, at its start: see WorkOrder::begin_process.
  std::function<void(int words)> begin_worker = {};
  std::function<void(std::size_t done, std::size_t all)> progress = {};  ///< points
};

struct StudyResult {
  std::string file;          ///< the table that was asked for
  std::string rows_file;     ///< the table as CSV, with texts: the same file, or one beside it
  std::string summary_file;  ///< JSON
  std::vector<Row> rows;
  std::size_t points = 0;         ///< of the whole study
  std::size_t points_before = 0;  ///< that were there already
  int workers = 1;
  bool complete = false;
  Summary summary;
  std::vector<SensitivityLine> sensitivities;
  std::string trajectory_file;   ///< HDF5; empty: none are kept
  std::string sensitivity_file;  ///< CSV; empty: none were asked for
};

/// Throws base::ProblemsFound if there is a result already, or one to go on from that belongs to another study.
StudyResult run_study(const Prepared& prepared, const StudySettings& settings);

/// What the summary file holds.
formats::Value summary_value(const Prepared& prepared, const StudyResult& result);

}  // namespace seam::study
