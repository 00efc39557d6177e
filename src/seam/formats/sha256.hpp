// SHA-256 (FIPS 180-4): the name of a content.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace seam::formats {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void add(std::string_view bytes);
  /// 64 hexadecimal digits; nothing may be added afterwards.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Of a whole file; throws base::Error(Failure::file) if it cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace seam::formats
