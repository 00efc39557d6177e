#include "terminal.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <ctime>
#include <thread>

#include "guard.hpp"
#include "seam/report/run_report.hpp"

namespace seam::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

void on_signal(int) { interrupted.store(true, std::memory_order_relaxed); }

/// Waits for the signals itself, so that no FMU that installs a handler comes between (one that ignores them anew in
/// every step still can: the kernel then throws away what is on its way); on_signal serves where a library has threads
/// that let the signals through. Once asked, a second wish or a step that does not end within two seconds ends the
/// program. SIGXCPU comes again every second and is one wish.
void wait_for_interrupt(sigset_t signals) {
  constexpr timespec tenth{0, 100'000'000};
  constexpr int patience = 20;
  for (int waited = 0; waited < patience;) {
    const bool asked_before = interrupted.load(std::memory_order_relaxed);
    const int signal = sigtimedwait(&signals, nullptr, &tenth);
    if (signal > 0 && signal != SIGXCPU && asked_before) break;
    if (signal > 0) interrupted.store(true, std::memory_order_relaxed);
    if (asked_before) ++waited;
  }
  leave_interrupted();
}

}  // namespace

const std::atomic<bool>& watch_for_interrupt() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGXCPU, SIGHUP}) {
    const auto before = std::signal(signal, on_signal);
    if (signal == SIGHUP && before == SIG_IGN) {  // as nohup wants it
      std::signal(signal, SIG_IGN);
      continue;
    }
    sigaddset(&signals, signal);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // threads made later inherit this
  std::thread(wait_for_interrupt, signals).detach();
  return interrupted;
}

ProgressBar::ProgressBar(std::string what) : what_(std::move(what)), on_terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressBar::show(const stepping::Progress& progress) {
  if (!on_terminal_) return;
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  std::fprintf(stderr, "\r%s\033[K", report::progress_words(what_, progress, elapsed).c_str());
  std::fflush(stderr);
  shown_ = true;
}

void ProgressBar::show(const std::string& what, double fraction) {
  if (!on_terminal_) return;
  std::fprintf(stderr, "\r%s: %s, %.0f %%\033[K", what_.c_str(), what.c_str(), 100.0 * fraction);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressBar::remove() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
  shown_ = false;
}

ProgressBar::~ProgressBar() { remove(); }

}  // namespace seam::cli
