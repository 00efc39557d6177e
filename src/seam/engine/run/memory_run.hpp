// A run that is kept in memory and writes nothing: for studies, which make thousands of them.
#pragma once

#include <string>
#include <vector>

#include "seam/engine/run/run.hpp"
#include "seam/formats/table.hpp"

namespace seam::engine {

struct MemoryRun {
  formats::Table table;  ///< the first column is the time
  stepping::RunResult result;
  std::string ended_by;                     ///< "subsystem.port" or "subsystem" that ended it early
  std::string complaint;                    ///< what is wrong in the words of that subsystem
  double wall_time = 0.0;                   ///< s, of the loop
  std::vector<stepping::BondEnergy> bonds;  ///< one a bond of the description; none where nothing was measured
  formats::Table states;                    ///< at the same times, of the subsystems that show theirs
  std::vector<formats::Table> micro;        ///< as `record.micro` asks, one a subsystem
};

/// An empty table: time, then the states of every subsystem that shows them, in the order of members.
formats::Table table_of_states(const assembly::Assembly& assembly);

/// What else is to be kept of a run, besides the samples of micro steps.
enum class Kept {
  ports,             ///< at communication points
  ports_and_states,  ///< both there
  nothing
};

struct MemoryOptions {
  Kept kept = Kept::ports_and_states;
  std::vector<formats::Table>* spare = nullptr;  ///< tables no longer needed, whose memory may be used; null: none
  load::ModelCache* cache = nullptr;             ///< with models that were made before; null: none
};

/// On one thread, whatever the plan says. Of the settings the growth limit and the wish to stop count.
MemoryRun run_in_memory(const System& system, const RunSettings& settings, const MemoryOptions& options = {});

/// The same system with nothing exchanged between subsystems: real inputs that another subsystem feeds keep the value
/// they have at the start. Signals known ahead of time are still followed.
System without_exchange(System system, load::ModelCache* cache = nullptr);

}  // namespace seam::engine
