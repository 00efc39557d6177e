// For the moment when the process cannot go on: who was running, and what must still reach the disk. All
// async-signal-safe.
#pragma once

#include <cstdint>

namespace seam::engine {

/// The FMU whose code is running now; null if none is.
struct RunningCall {
  const char* identity = nullptr;
  const char* function = nullptr;
  std::uint64_t number = 0;  ///< of the visit, or of a row of visits to one FMU each

  bool is_same_visit(const RunningCall& other) const { return identity == other.identity && number == other.number; }
};
/// On this thread; if it runs none, on any other: an FMU may have threads of its own.
RunningCall running_call() noexcept;
/// On one of the threads that run FMUs, by its number.
RunningCall running_call_of(int thread) noexcept;
inline constexpr int most_threads = 256;
/// Whether any thread that still lives has called an FMU.
bool fmu_was_called() noexcept;

/// Writes what open result files still hold in memory; how many files there are. Nothing may be written normally
/// afterwards.
int save_results_in_emergency() noexcept;

}  // namespace seam::engine
