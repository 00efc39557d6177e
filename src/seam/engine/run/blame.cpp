#include "seam/engine/run/blame.hpp"

#include "seam/fmi/instance/call_watch.hpp"
#include "seam/formats/emergency.hpp"

namespace seam::engine {

RunningCall running_call() noexcept {
  const fmi::CallWatch& watch = fmi::call_watch;
  if (const char* identity = watch.identity.load()) return {identity, watch.function.load(), watch.visits.load()};
  RunningCall call;
  for (int thread = 0; thread < most_threads && !call.identity; ++thread) call = running_call_of(thread);
  return call;
}

RunningCall running_call_of(int thread) noexcept {
  const fmi::CallSeen seen = fmi::call_seen(thread);
  return {seen.identity, seen.function, seen.visits};
}

bool fmu_was_called() noexcept {
  bool called = fmi::call_watch.visits.load() > 0;
  for (int thread = 0; thread < most_threads && !called; ++thread) called = running_call_of(thread).number > 0;
  return called;
}

static_assert(most_threads == fmi::places_of_threads);

int save_results_in_emergency() noexcept { return formats::write_emergency_buffers(); }

}  // namespace seam::engine
