#include "seam/formats/emergency.hpp"

#include <unistd.h>

#include <array>

namespace seam::formats {
namespace {

struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<const char*> bytes{nullptr};  ///< null: not to be written (yet, or any more)
  std::atomic<const std::atomic<std::size_t>*> complete{nullptr};
  std::atomic<int> descriptor{-1};
  EmergencyCount count;  ///< written before `bytes` is
};

// More result files than this at once get no emergency write; they still end with their last flush.
std::array<Slot, 64> slots;

void write_count(const Slot& slot, std::size_t bytes) {
  if (slot.count.row_size == 0) return;
  const std::uint32_t rows = slot.count.rows_before->load() + static_cast<std::uint32_t>(bytes / slot.count.row_size);
  std::array<unsigned char, 4> field{};
  for (std::size_t i = 0; i < field.size(); ++i) field[i] = static_cast<unsigned char>(rows >> (8 * i));
  if (::pwrite(slot.descriptor, field.data(), field.size(), static_cast<off_t>(slot.count.offset)) < 0)
    return;  // the count of the last flush stays
}

}  // namespace

EmergencyBuffer::EmergencyBuffer(int descriptor, const char* bytes, const std::atomic<std::size_t>& complete,
                                 const EmergencyCount& count) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].taken.exchange(true)) continue;
    slots[i].descriptor = descriptor;
    slots[i].complete = &complete;
    slots[i].count = count;
    slots[i].bytes = bytes;
    slot_ = static_cast<int>(i);
    return;
  }
}

EmergencyBuffer::~EmergencyBuffer() {
  if (slot_ < 0) return;
  Slot& slot = slots[static_cast<std::size_t>(slot_)];
  slot.bytes = nullptr;
  slot.taken = false;
}

int write_emergency_buffers() noexcept {
  int files = 0;
  for (Slot& slot : slots) {
    const char* bytes = slot.bytes.exchange(nullptr);
    if (!bytes) continue;
    ++files;
    std::size_t left = *slot.complete.load();
    while (left > 0) {
      const ssize_t written = ::write(slot.descriptor, bytes, left);
      if (written <= 0) break;
      bytes += written;
      left -= static_cast<std::size_t>(written);
    }
    write_count(slot, *slot.complete.load() - left);
  }
  return files;
}

}  // namespace seam::formats
