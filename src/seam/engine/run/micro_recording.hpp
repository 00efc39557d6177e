// Samples of micro steps (`record.micro`): one table a subsystem, since each has micro steps of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "seam/coupling/compile.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/record/recorder.hpp"
#include "seam/stepping/run.hpp"

namespace seam::engine {

/// Which ports of which subsystems the patterns choose. A pattern that chooses none is a problem.
std::vector<coupling::MicroRequest> micro_requests(const system::SystemDescription& description,
                                                   const assembly::Assembly& assembly, base::Problems& problems);

/// The files of a run into `result`: result.csv has result.micro.NAME.csv beside it for every subsystem that is asked
/// for.
std::string micro_file(const std::string& result, const std::string& subsystem);

/// Whose micro steps are recorded, with a recorder each.
struct MicroRecorders {
  std::vector<std::string> subsystems;
  std::vector<std::string> files;  ///< as the user would say them; empty in memory
  std::vector<std::vector<stepping::Column>> columns;
  std::vector<std::unique_ptr<record::Recorder>> recorders;

  std::vector<stepping::MicroRecord> records(const coupling::Program& program) const;
};

/// One of the spare tables, which is no longer among them; empty if there is none.
formats::Table taken_from(std::vector<formats::Table>& spare);

/// The memory of spare tables is used first.
MicroRecorders micro_recorders_in_memory(const coupling::Program& program, std::vector<formats::Table>& spare);
/// `said` is the result's file as the user said it, `path` the same absolute.
MicroRecorders micro_recorders(const coupling::Program& program, const std::string& said, const std::string& path);

/// What the master does only for the recording: it splits steps of FMUs that it would have made as a whole.
std::vector<std::string> micro_notices(const coupling::Program& program);

}  // namespace seam::engine
