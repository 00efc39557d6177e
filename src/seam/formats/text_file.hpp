// Files: whole texts, and files that stay open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace seam::formats {

inline constexpr std::size_t largest_text_file = std::size_t{16} << 20;

/// Throws base::Error(Failure::file) if the file cannot be read or is larger than `limit` bytes.
std::string read_text(const std::string& path, std::size_t limit = largest_text_file);

/// All or nothing: the text goes to a temporary file beside the target, which then takes its name.
/// A target that is no ordinary file (a pipe, /dev/stdout) is written directly.
void write_text(const std::string& path, std::string_view text);

class OpenFile {
 public:
  enum class For { reading, writing, new_file, appending };

  /// Messages call the file `shown`, or by its path if that is empty.
  OpenFile(const std::string& path, For purpose, const std::string& shown = {});
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// Bytes read into [first, first + room), 0 at the end of the file.
  std::size_t read(char* first, std::size_t room);
  void write(std::string_view bytes);
  /// Over what is there; where the next write() goes does not change.
  void write_at(std::uint64_t offset, std::string_view bytes);
  /// Takes away what stands behind the first bytes, as far as the kind of file allows.
  void cut_to(std::uint64_t size) noexcept;
  void close();
  int descriptor() const { return descriptor_; }

 private:
  std::string shown_;
  int descriptor_ = -1;
};

}  // namespace seam::formats
