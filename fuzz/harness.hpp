// What every harness is: one function that libFuzzer, or the main() of replay.cpp, calls with the bytes of a stranger.
// Inputs may be refused; a crash, an exception that is not base::Error, a broken promise, a hang or a gigabyte is a
// finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace seam::fuzz {

/// Ends the process, and so makes a finding of the input, if the promise is not kept.
inline void must(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

}  // namespace seam::fuzz
