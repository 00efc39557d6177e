// Time of the processor, spent by this thread, the kernel's share included: others that use the machine do not count.
#pragma once

#include <ctime>

namespace bench {

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double processor_seconds_of(const auto& work) {
  const double begin = processor_seconds();
  work();
  return processor_seconds() - begin;
}

}  // namespace bench
