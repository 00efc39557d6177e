// Which FMU is being called right now, so that a crash or a hang can be blamed on the right one.
#pragma once

#include <atomic>
#include <cstdint>

namespace seam::fmi {

/// Written before every call into an FMU, read by signal handlers and a watchdog. Plain stores: it costs next to nothing.
struct CallWatch {
  std::atomic<const char*> identity{nullptr};  ///< null: no FMU is running
  std::atomic<const char*> function{nullptr};
  std::atomic<std::uint64_t> calls{0};
};
CallWatch& call_watch();

/// Alive during one call.
class Calling {
 public:
  Calling(const char* identity, const char* function) {
    CallWatch& watch = call_watch();
    watch.function.store(function, std::memory_order_relaxed);
    watch.identity.store(identity, std::memory_order_relaxed);
    watch.calls.store(watch.calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  ~Calling() { call_watch().identity.store(nullptr, std::memory_order_relaxed); }
  Calling(const Calling&) = delete;
  Calling& operator=(const Calling&) = delete;
};

inline CallWatch& call_watch() {
  static CallWatch watch;
  return watch;
}

}  // namespace seam::fmi
