// Measurements in a process of their own, as every run has one: what earlier ones left in the heap and in caches counts
// for nothing.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <type_traits>

namespace bench {

/// What `measure` gives there: plain numbers. Empty if the process did not come to its end.
template <class Numbers>
Numbers in_a_process(const auto& measure) {
  static_assert(std::is_trivially_copyable_v<Numbers>);
  std::array<int, 2> ends{};
  Numbers numbers{};
  if (pipe(ends.data()) != 0) return numbers;
  const pid_t child = fork();
  if (child == 0) {
    numbers = measure();
    _exit(write(ends[1], &numbers, sizeof numbers) == sizeof numbers ? 0 : 1);
  }
  close(ends[1]);
  if (read(ends[0], &numbers, sizeof numbers) != sizeof numbers) numbers = {};
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return numbers;
}

}  // namespace bench
