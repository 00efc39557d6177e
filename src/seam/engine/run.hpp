// The jobs a caller may ask for: run a system, analyse it, solve it monolithically.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "seam/analysis/stability.hpp"
#include "seam/engine/system.hpp"
#include "seam/fmi/instance.hpp"
#include "seam/record/compare.hpp"
#include "seam/stepping/run.hpp"
#include "seam/system/timetable.hpp"

namespace seam::engine {

struct RunSettings {
  std::string file;  ///< result; empty: the file's own `record.file`, else <name>.csv in the current folder
  double growth_limit = 1e30;
  const std::atomic<bool>* stop_asked = nullptr;
  std::function<void(double fraction)> progress;
  std::string initial_state;  ///< file to go on from; empty: the start of the experiment
  std::string final_state;    ///< file for the state at the end; empty: none
  fmi::Logging fmu_logging;
  std::string log_file;  ///< that the logging writes to; empty: none
};

struct RunSummary {
  stepping::RunResult result;
  std::string file;  ///< as the user said it
  std::string path;  ///< absolute
  std::size_t rows = 0;
  std::size_t columns = 0;
  double start = 0.0;                   ///< s, where the run began
  double wall_time = 0.0;               ///< s, of the loop
  std::string culprit;                  ///< "subsystem.port" or "subsystem" that ended the run early
  std::string culprit_sink;             ///< where that output goes to, if anywhere
  std::vector<std::string> notices;     ///< what the user should know of the initialisation
  std::string final_state;              ///< file the state at the end was written to; empty: none
  std::string state_complaint;          ///< why the final state could not be saved; empty: it was, or nobody asked
  std::vector<system::Landing> events;  ///< of the experiment, those of the past left out
  std::string complaint;                ///< what is wrong in the words of the subsystem that ended it
};

RunSummary run(const System& system, const RunSettings& settings);

/// Throws base::ProblemsFound if a file that a run would write is one that it reads, or is to be written twice, or has
/// no folder. To be asked before the log file is opened.
void check_files(const System& system, const RunSettings& settings);

/// Where the result goes if nobody says.
std::string result_file(const System& system);

struct ReferenceSummary {
  std::string file;
  std::string method;
  std::size_t rows = 0;
  std::string diverged;  ///< which variable left all numbers, and when; empty: none did
  std::string ended;     ///< who asked to end it early, and when; empty: nobody did
};

/// The monolithic solution at the communication points of the plan, with the columns a run would have.
/// Throws base::ProblemsFound if the equations are not known.
ReferenceSummary reference(const System& system, const RunSettings& settings);

/// At the start of the experiment. Throws base::ProblemsFound with the reason if it cannot be known.
analysis::Stability analyse(const System& system);

/// The file with every default filled in; it loads again to the same system.
std::string resolved_text(const System& system);

/// Compares two result files; throws base::ProblemsFound if they cannot be read or have nothing in common.
record::Comparison compare(const std::string& result, const std::string& reference,
                           const std::vector<std::string>& variables);

/// The columns to record: the patterns of the description, else all connected ports.
std::vector<stepping::Column> select_columns(const System& system, const coupling::Program& program);

}  // namespace seam::engine
