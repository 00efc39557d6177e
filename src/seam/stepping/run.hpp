// The run loop: steps, looks, goes on or ends.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "seam/coupling/advance.hpp"
#include "seam/coupling/parallel_steps.hpp"
#include "seam/stepping/columns.hpp"
#include "seam/stepping/division.hpp"

namespace seam::stepping {

/// Numbers at several times, one row each.
struct Rows {
  std::span<const double> times;
  const double* numbers = nullptr;
  std::size_t width = 0;
};

/// Sees the columns at every recorded communication point, in order of time.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void sample(double t, const Row& row) = 0;
  /// The same for several times; there are no discrete values among the columns.
  virtual void sample_all(const Rows& rows);
  /// Twice a second, or after a step that took longer: what was seen so far should be safe.
  virtual void flush() {}
  /// The run is over, however it ended.
  virtual void finish() {}
};

/// One subsystem's ports at every micro step: its columns stand as in the rows of the program.
struct MicroRecord {
  const coupling::MicroRows* rows = nullptr;
  std::vector<Column> columns;
  Observer* observer = nullptr;
};

/// How far a run is, s.
struct Progress {
  double start = 0.0, time = 0.0, stop = 0.0;
};

/// What is to be done after the first steps, whose costs are known by then.
enum class Verdict { go_on, start_again };

struct RunOptions {
  std::vector<Column> columns;
  base::Tick every = 1;                           ///< macro steps between two samples
  std::vector<MicroRecord> micro = {};            ///< seen after every macro step of theirs
  const std::atomic<bool>* stop_asked = nullptr;  ///< looked at several times a second
  std::function<void(const Progress&)> progress;  ///< now and then
  coupling::ParallelSteps* shares = nullptr;      ///< of a team; null: all lanes are stepped by the caller
  std::function<Verdict(const Costs&, base::Tick steps)> judge;  ///< asked once, if at all; steps that were made
  enum class Clocked { some_steps, none } clocked = Clocked::some_steps;  ///< none: the timing is not wanted
};

enum class Ending { completed, interrupted, diverged, rejected, ended_by_subsystem, failed };

/// Where the time went, measured in few steps: at most one in 64, fewer if a look at the clock would be felt. Nothing
/// is measured where events are shared.
struct Timing {
  base::Tick steps = 0;       ///< watched
  std::vector<double> lanes;  ///< s a watched step, one a member; 0 without a lane
  double rest = 0.0;          ///< s a watched step, of what is no lane's
  base::Tick looks = 0;       ///< recordings that were measured
  double look = 0.0;          ///< s each
  double finish = 0.0;        ///< s, of finishing all observers
};

struct RunResult {
  Ending ending = Ending::completed;
  base::Tick steps = 0;  ///< macro steps taken
  double time = 0.0;     ///< reached
  int member = -1;       ///< who ended it
  int output = -1;       ///< which output diverged
  std::string message;   ///< why it failed
  Timing timing;
  bool starts_again = false;  ///< as the judge said: it is not over
};

/// From the memory's present time to the end of the program; the first sample is taken before the first step. A
/// subsystem that fails ends the run like any other outcome; the observers are finished first, so that nothing is lost.
RunResult run(const coupling::Program& program, coupling::Memory& memory, const RunOptions& options,
              const std::vector<Observer*>& observers);

}  // namespace seam::stepping
