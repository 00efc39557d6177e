// A run with all steps of its plan divided, kept in memory. Only source files of this room include it.
#pragma once

#include <string>
#include <vector>

#include "seam/engine/run/run.hpp"

namespace seam::engine {

/// Every row of a run.
class KeptRows final : public stepping::Observer {
 public:
  void sample(double t, const stepping::Row& row) override {
    times.push_back(t);
    rows.push_back(row);
  }
  std::vector<double> times;
  std::vector<stepping::Row> rows;
};

struct DividedRun {
  std::vector<stepping::Column> columns;
  KeptRows kept;
  stepping::RunResult result;
  std::string ended_by;  ///< name of the subsystem
};

struct Division {
  int parts = 1;         ///< of every step of the plan
  base::Tick every = 1;  ///< of the divided macro steps: a row
};

/// Throws base::ProblemsFound if the subsystems cannot take such steps.
DividedRun run_divided(const System& system, const RunSettings& settings, const Division& division);

}  // namespace seam::engine
