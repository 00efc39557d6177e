// What is still in memory when the process must end at once: buffers of open result files, written by a signal handler.
#pragma once

#include <atomic>
#include <cstddef>

namespace seam::formats {

/// A buffer whose first `complete` bytes belong into a file. Alive as long as the writer.
class EmergencyBuffer {
 public:
  EmergencyBuffer(int descriptor, const char* bytes, const std::atomic<std::size_t>& complete);
  ~EmergencyBuffer();
  EmergencyBuffer(const EmergencyBuffer&) = delete;
  EmergencyBuffer& operator=(const EmergencyBuffer&) = delete;

 private:
  int slot_ = -1;
};

/// Writes every registered buffer; how many there were. Async-signal-safe; nothing may be written normally afterwards.
int write_emergency_buffers() noexcept;

}  // namespace seam::formats
