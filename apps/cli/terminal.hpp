// The person at the terminal: progress, and the wish to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>

#include "seam/engine/run/run.hpp"

namespace seam::cli {

/// From now on Ctrl-C, a polite kill, a terminal that is closed and a limit of processor time ask the run to stop; a
/// second one, or two seconds inside one step, end the program. To be called once, before any FMU is loaded.
const std::atomic<bool>& watch_for_interrupt();

/// A bar with time, rate and time left on standard error if that is a terminal, nothing otherwise. It removes itself.
class ProgressBar {
 public:
  explicit ProgressBar(std::string what);
  ~ProgressBar();
  void show(const stepping::Progress& progress);
  void show(const std::string& what, double fraction);
  void remove();

 private:
  std::string what_;
  bool on_terminal_ = false;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace seam::cli
