// Zip archives written byte by byte, so that a test can lie in every field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seam::formats {

struct RawEntry {
  std::string name;
  std::string content;
  std::uint16_t method = 0;                 ///< 0 stored, 8 deflated
  std::uint16_t flags = 0;                  ///< bit 0: encrypted
  std::uint32_t mode = 0;                   ///< Unix mode; 0: made on DOS
  std::uint32_t claimed_size = 0xFFFFFFFF;  ///< unpacked; this value: the truth
  std::uint32_t claimed_packed = 0xFFFFFFFF;
  bool wrong_checksum = false;
};

class RawZip {
 public:
  RawZip& add(RawEntry entry) {
    entries_.push_back(std::move(entry));
    return *this;
  }
  RawZip& add(const std::string& name, const std::string& content) { return add({name, content}); }

  std::string bytes() const {
    std::string file, directory;
    for (const RawEntry& entry : entries_) {
      const std::string packed = entry.method == 8 ? deflated(entry.content) : entry.content;
      std::string middle = number(entry.flags, 2) + number(entry.method, 2) + number(0, 4);
      middle += number(checksum(entry.content) ^ (entry.wrong_checksum ? 1u : 0u), 4);
      middle += number(entry.claimed_packed == 0xFFFFFFFF ? packed.size() : entry.claimed_packed, 4);
      middle += number(entry.claimed_size == 0xFFFFFFFF ? entry.content.size() : entry.claimed_size, 4);
      middle += number(entry.name.size(), 2) + number(0, 2);
      const std::size_t offset = file.size();
      file += "PK\x03\x04" + number(20, 2) + middle + entry.name + packed;
      const std::uint64_t made_by = entry.mode == 0 ? 20 : 3 * 256 + 20;
      directory += "PK\x01\x02" + number(made_by, 2) + number(20, 2) + middle + number(0, 6);
      directory += number(static_cast<std::uint64_t>(entry.mode) << 16, 4) + number(offset, 4) + entry.name;
    }
    const std::uint64_t count = entries_.size() > 0xFFFF ? 0xFFFF : entries_.size();
    const std::uint64_t start = file.size();
    std::string end;
    if (entries_.size() > 0xFFFF) {  // Zip64: the count does not fit
      end += "PK\x06\x06" + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8) + number(entries_.size(), 8) +
             number(entries_.size(), 8) + number(directory.size(), 8) + number(start, 8);
      end += "PK\x06\x07" + number(0, 4) + number(start + directory.size(), 8) + number(1, 4);
    }
    end += "PK\x05\x06" + number(0, 4) + number(count, 2) + number(count, 2) + number(directory.size(), 4) +
           number(start, 4) + number(0, 2);
    return file + directory + end;
  }

 private:
  static std::string number(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
  }

  // CRC-32 as zip uses it (ISO 3309, reflected, polynomial 0xEDB88320).
  static std::uint32_t checksum(std::string_view bytes) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (const char c : bytes) {
      crc ^= static_cast<unsigned char>(c);
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320u : 0u);
    }
    return ~crc;
  }

  // RFC 1951, 3.2.4: blocks without compression.
  static std::string deflated(std::string_view bytes) {
    std::string stream;
    do {
      const std::string_view block = bytes.substr(0, 0xFFFF);
      bytes.remove_prefix(block.size());
      stream += number(bytes.empty() ? 1 : 0, 1) + number(block.size(), 2) + number(~block.size(), 2);
      stream += block;
    } while (!bytes.empty());
    return stream;
  }

  std::vector<RawEntry> entries_;
};

}  // namespace seam::formats
