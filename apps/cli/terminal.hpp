// The person at the terminal: progress, and the wish to stop.
#pragma once

#include <atomic>
#include <functional>
#include <string>

namespace seam::cli {

/// From now on Ctrl-C and a polite kill ask the run to stop; a second one, or two seconds inside one step, end the
/// program. To be called once, before any FMU is loaded.
const std::atomic<bool>& watch_for_interrupt();

/// A bar on standard error if that is a terminal, nothing otherwise. It removes itself.
class ProgressBar {
 public:
  explicit ProgressBar(std::string what);
  ~ProgressBar();
  void show(double fraction);

 private:
  std::string what_;
  bool on_terminal_ = false;
  bool shown_ = false;
};

}  // namespace seam::cli
