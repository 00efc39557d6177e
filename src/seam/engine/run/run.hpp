// The jobs a caller may ask for: run a system, analyse it, compare results.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "seam/analysis/stability.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/fmi/instance/instance.hpp"
#include "seam/record/compare.hpp"
#include "seam/stepping/defect.hpp"
#include "seam/stepping/energy.hpp"
#include "seam/stepping/growth.hpp"
#include "seam/stepping/run.hpp"
#include "seam/system/timetable.hpp"

namespace seam::engine {

struct RunSettings {
  std::string file;  ///< result; empty: the file's own `record.file`, else <name>.csv in the current folder
  double growth_limit = 1e30;
  const std::atomic<bool>* stop_asked = nullptr;
  std::function<void(const stepping::Progress&)> progress;
  std::string initial_state;  ///< file to go on from; empty: the start of the experiment
  std::string final_state;    ///< file for the state at the end; empty: none
  fmi::Logging fmu_logging;
  std::string log_file;  ///< that the logging writes to; empty: none
};

/// How the wall time of a run was spent, s, extrapolated from the steps that were watched.
struct RunTimes {
  base::Tick watched_steps = 0;                            ///< 0: nothing was measured
  std::vector<std::pair<std::string, double>> subsystems;  ///< by name; signals known ahead of time have none
  std::optional<double> recording;
  double engine = 0.0;  ///< the rest: exchange, holds, the loop
};

/// Which FMU a subsystem was.
struct FmuVersion {
  std::string subsystem, file, fmi, model, tool, hash;
};

/// An output that follows inputs at once and was sent with those of the step that had ended.
struct HeldOutput {
  std::string output;               ///< "subsystem.port"
  std::vector<std::string> inputs;  ///< the same
  double lacking = 0.0;             ///< rms of what the inputs at the communication point would have added
  double size = 0.0;                ///< rms of the output
  std::vector<std::string> ways;    ///< to send it fresh
};

/// Samples of one subsystem's micro steps.
struct MicroResult {
  std::string subsystem, file;
  std::size_t rows = 0;
};

struct RunSummary {
  stepping::RunResult result;
  std::string file;  ///< as the user said it
  std::string path;  ///< absolute
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<MicroResult> micro;
  double start = 0.0;      ///< s, where the run began
  double wall_time = 0.0;  ///< s, of the loop
  int threads = 1;
  RunTimes times;
  std::vector<stepping::BondEnergy> bonds;  ///< one a bond of the description; none where nothing was measured
  std::vector<stepping::Defect> defects;    ///< where they were asked for
  std::optional<stepping::Growth> growth;   ///< of the output that grew most, if any grew a thousandfold
  std::vector<HeldOutput> held_outputs;     ///< of co-simulation FMUs that tell their derivatives
  std::vector<FmuVersion> fmus;
  std::string culprit;                          ///< "subsystem.port" or "subsystem" that ended the run early
  std::string culprit_sink;                     ///< where that output goes to, if anywhere
  std::vector<std::string> notices;             ///< what the user should know of the initialisation
  std::optional<analysis::Stability> forecast;  ///< before the run, where it costs next to nothing
  std::string final_state;                      ///< file the state at the end was written to; empty: none
  std::string state_complaint;          ///< why the final state could not be saved; empty: it was, or was not to be
  std::vector<system::Landing> events;  ///< of the experiment, those of the past left out
  std::string complaint;                ///< what is wrong in the words of the subsystem that ended it
};

RunSummary run(const System& system, const RunSettings& settings);

/// At the start of the experiment. Throws base::ProblemsFound with the reason if it cannot be known.
analysis::Stability analyse(const System& system);

/// The file with every default filled in; it loads again to the same system.
std::string resolved_text(const System& system);

/// Compares two result files; throws base::ProblemsFound if they cannot be read or have nothing in common.
record::Comparison compare(const record::FileComparison& files);

}  // namespace seam::engine
