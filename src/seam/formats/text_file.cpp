#include "seam/formats/text_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "seam/base/error.hpp"

namespace seam::formats {
namespace {

[[noreturn]] void fail(std::string_view doing, const std::string& path, int reason) {
  throw base::Error(base::Failure::file, fmt::format("cannot {} \"{}\": {}", doing, path, std::strerror(reason)));
}

int flags_for(OpenFile::For purpose) {
  switch (purpose) {
    case OpenFile::For::reading:
      return O_RDONLY | O_CLOEXEC;
    case OpenFile::For::writing:
      return O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    case OpenFile::For::new_file:
      return O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    case OpenFile::For::appending:
      return O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  }
  return O_RDONLY;
}

}  // namespace

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

OpenFile::OpenFile(const std::string& path, For purpose, const std::string& shown)
    : shown_(shown.empty() ? path : shown) {
  const char* const doing = purpose == For::reading ? "read" : "write";
  descriptor_ = ::open(path.c_str(), flags_for(purpose), 0666);
  if (descriptor_ < 0) fail(doing, shown_, errno);
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
    ::close(descriptor_);
    fail(doing, shown_, EISDIR);
  }
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t OpenFile::read(char* first, std::size_t room) {
  for (;;) {
    const ssize_t got = ::read(descriptor_, first, room);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail("read", shown_, errno);
  }
}

void OpenFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail("write", shown_, errno);
    }
  }
}

void OpenFile::write_at(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
      offset += static_cast<std::uint64_t>(written);
    } else if (errno != EINTR) {
      fail("write", shown_, errno);
    }
  }
}

void OpenFile::cut_to(std::uint64_t size) noexcept {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) == 0) ::lseek(descriptor_, static_cast<off_t>(size), SEEK_SET);
}

// Some file systems (NFS, quotas) only report a full disk here.
void OpenFile::close() {
  if (descriptor_ < 0) return;
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail("write", shown_, errno);
}

}  // namespace seam::formats
