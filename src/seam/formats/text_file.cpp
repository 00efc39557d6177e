#include "seam/formats/text_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "seam/base/error.hpp"
#include "seam/formats/open_file.hpp"

namespace seam::formats {

std::string read_text(const std::string& path, std::size_t limit) {
  OpenFile file(path, OpenFile::For::reading);
  std::string text;
  std::size_t used = 0;
  for (;;) {
    text.resize(std::min(limit + 1, std::max<std::size_t>(used * 2, 1 << 16)));
    const std::size_t got = file.read(text.data() + used, text.size() - used);
    used += got;
    if (used > limit) {
      throw base::Error(base::Failure::file,
                        fmt::format("cannot read \"{}\": it is larger than {} bytes", path, limit));
    }
    if (got == 0) break;
  }
  text.resize(used);
  return text;
}

void write_text(const std::string& path, std::string_view text) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const bool exists = fs::exists(path, ignored);
  if (exists && !fs::is_regular_file(path, ignored)) {
    OpenFile file(path, OpenFile::For::writing);
    file.write(text);
    file.close();
    return;
  }
  // A link stays a link: the file it leads to is the one replaced.
  const std::string target = exists ? fs::canonical(path, ignored).string() : path;
  const std::string temporary = fmt::format("{}.{}.part", target.empty() ? path : target, ::getpid());
  fs::remove(temporary, ignored);
  try {
    OpenFile file(temporary, OpenFile::For::new_file, path);
    file.write(text);
    file.close();
    fs::rename(temporary, target.empty() ? path : target);
  } catch (const fs::filesystem_error& error) {
    fs::remove(temporary, ignored);
    throw base::Error(base::Failure::file, fmt::format("cannot write \"{}\": {}", path, error.code().message()));
  } catch (...) {
    fs::remove(temporary, ignored);
    throw;
  }
}

}  // namespace seam::formats
