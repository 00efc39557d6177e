// What is still in memory when the process must end at once: buffers of open result files, written by a signal handler.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace seam::formats {

/// A number in the file that says how many rows it has: 32 bits, the lowest first.
struct EmergencyCount {
  std::uint64_t offset = 0;
  std::size_t row_size = 0;                                 ///< bytes
  const std::atomic<std::uint32_t>* rows_before = nullptr;  ///< those of the buffer
};

/// A buffer whose first `complete` bytes belong into a file. Alive as long as the writer.
class EmergencyBuffer {
 public:
  EmergencyBuffer(int descriptor, const char* bytes, const std::atomic<std::size_t>& complete,
                  const EmergencyCount& count = {});
  ~EmergencyBuffer();
  EmergencyBuffer(const EmergencyBuffer&) = delete;
  EmergencyBuffer& operator=(const EmergencyBuffer&) = delete;

 private:
  int slot_ = -1;
};

/// Writes every registered buffer; how many there were. Async-signal-safe; nothing may be written normally afterwards.
int write_emergency_buffers() noexcept;

}  // namespace seam::formats
