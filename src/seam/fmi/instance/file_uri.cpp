#include "seam/fmi/instance/file_uri.hpp"

#include <string_view>

namespace seam::fmi {

// RFC 3986: unreserved characters and the separator stay, every other byte becomes %XX.
std::string file_uri(const std::filesystem::path& path) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const unsigned char c : std::filesystem::absolute(path).string()) {
    if (plain.find(static_cast<char>(c)) != std::string_view::npos) {
      uri += static_cast<char>(c);
    } else {
      uri += {'%', hex[c >> 4], hex[c & 15]};
    }
  }
  return uri;
}

}  // namespace seam::fmi
