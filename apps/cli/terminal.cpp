#include "terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "seam/engine/blame.hpp"

namespace seam::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

void on_signal(int signal) {
  interrupted.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
  alarm(2);  // a subsystem that does not come back must not keep the user: see on_patience_lost
}

/// Asked to stop, and two seconds later still inside one step: what was recorded is saved, and that is all.
void on_patience_lost(int) {
  engine::save_results_in_emergency();
  _exit(130);
}

}  // namespace

const std::atomic<bool>& watch_for_interrupt() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGALRM, on_patience_lost);
  return interrupted;
}

ProgressBar::ProgressBar(std::string what) : what_(std::move(what)), on_terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressBar::show(double fraction) {
  if (!on_terminal_) return;
  constexpr int width = 40;
  const int full = static_cast<int>(width * std::clamp(fraction, 0.0, 1.0));
  const std::string bar =
      std::string(static_cast<std::size_t>(full), '#') + std::string(static_cast<std::size_t>(width - full), '.');
  std::fprintf(stderr, "\r%s [%s] %3.0f %%", what_.c_str(), bar.c_str(), 100.0 * fraction);
  std::fflush(stderr);
  shown_ = true;
}

ProgressBar::~ProgressBar() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
}

}  // namespace seam::cli
