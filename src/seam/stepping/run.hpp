// The run loop: steps, looks, goes on or ends.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "seam/coupling/advance.hpp"
#include "seam/stepping/columns.hpp"

namespace seam::stepping {

/// Sees the columns at every recorded communication point, in order of time.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void sample(double t, const Row& row) = 0;
  /// The run is over, however it ended.
  virtual void finish() {}
};

struct RunOptions {
  std::vector<Column> columns;
  base::Tick every = 1;                           ///< macro steps between two samples
  const std::atomic<bool>* stop_asked = nullptr;  ///< looked at several times a second
  std::function<void(double fraction)> progress;  ///< now and then
};

enum class Ending { completed, interrupted, diverged, rejected, ended_by_subsystem, failed };

struct RunResult {
  Ending ending = Ending::completed;
  base::Tick steps = 0;  ///< macro steps taken
  double time = 0.0;     ///< reached
  int member = -1;       ///< who ended it
  int output = -1;       ///< which output diverged
  std::string message;   ///< why it failed
};

/// From the memory's present time to the end of the program; the first sample is taken before the first step. A
/// subsystem that fails ends the run like any other outcome; the observers are finished first, so that nothing is lost.
RunResult run(const coupling::Program& program, coupling::Memory& memory, const RunOptions& options,
              const std::vector<Observer*>& observers);

}  // namespace seam::stepping
