// Which FMU each thread is calling right now, so that a report of a crash or a hang names it.
#pragma once

#include <atomic>
#include <cstdint>

namespace seam::fmi {

/// Written around every visit to an FMU, read by signal handlers and a watchdog. Plain stores: it costs next to
/// nothing.
struct CallWatch {
  std::atomic<const char*> identity{nullptr};  ///< null: no FMU is running
  std::atomic<const char*> function{nullptr};
  std::atomic<std::uint64_t> visits{0};  ///< one by one, or rows in which every FMU is visited once

  /// The function of the FMU that is called next.
  void now_in(const char* name) { function.store(name, std::memory_order_relaxed); }
};
inline thread_local constinit CallWatch call_watch;  ///< of this thread

/// From now on, until it ends, others may ask what this thread calls. May be asked again.
void show_calls_of_this_thread();

/// What the watch of some thread said a moment ago; empty if no thread has this place.
struct CallSeen {
  const char* identity = nullptr;
  const char* function = nullptr;
  std::uint64_t visits = 0;
};
inline constexpr int places_of_threads = 256;  ///< more threads than this are not looked at
/// Async-signal-safe.
CallSeen call_seen(int place) noexcept;

/// Alive while an FMU's code may run: one or several calls in a row. Visits may be nested.
class CallScope {
 public:
  [[gnu::always_inline]] explicit CallScope(const char* identity)
      : outer_(call_watch.identity.load(std::memory_order_relaxed)) {
    call_watch.visits.store(call_watch.visits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    call_watch.identity.store(identity, std::memory_order_relaxed);
  }
  [[gnu::always_inline]] ~CallScope() { call_watch.identity.store(outer_, std::memory_order_relaxed); }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  const char* outer_;
};

}  // namespace seam::fmi
