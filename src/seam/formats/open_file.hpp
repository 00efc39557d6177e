// An open file of the operating system that closes itself; errors carry the path and the system's reason.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace seam::formats {

class OpenFile {
 public:
  enum class For { reading, writing, new_file };

  /// Messages call the file `shown`, or by its path if that is empty.
  OpenFile(const std::string& path, For purpose, const std::string& shown = {});
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// Bytes read into [first, first + room), 0 at the end of the file.
  std::size_t read(char* first, std::size_t room);
  void write(std::string_view bytes);
  void close();
  int descriptor() const { return descriptor_; }

 private:
  std::string shown_;
  int descriptor_ = -1;
};

}  // namespace seam::formats
