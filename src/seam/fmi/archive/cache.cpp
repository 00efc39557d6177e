#include "seam/fmi/archive/cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <set>
#include <system_error>
#include <vector>

#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::fmi {
namespace {

namespace fs = std::filesystem;

const char* const content_name = "content";
const char* const list_name = "list";  // of all files of the content, written last

[[noreturn]] void fail(std::string_view doing, const fs::path& path, const std::string& reason) {
  throw base::Error(base::Failure::file, fmt::format("cannot {} \"{}\": {}", doing, path.string(), reason));
}

// A folder that only we can have put something into.
bool is_ours_alone(const fs::path& folder) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid()) return false;
  if ((status.st_mode & 077) == 0) return true;
  return ::chmod(folder.c_str(), 0700) == 0;
}

std::optional<fs::path> absolute_from_environment(const char* name) {
  const char* const value = std::getenv(name);
  if (!value || *value != '/') return std::nullopt;  // the XDG specification: relative paths are to be ignored
  return fs::path(value);
}

/// Held while a folder of the cache is looked at or made. A file system without locks does not stop us: the renaming
/// alone keeps what is seen whole.
class Lock {
 public:
  explicit Lock(const fs::path& file)
      : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    int failed = -1;
    while (descriptor_ >= 0 && (failed = ::flock(descriptor_, LOCK_EX)) != 0 && errno == EINTR) {
    }
    held_ = failed == 0;
  }
  ~Lock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  bool held() const { return held_; }

 private:
  int descriptor_;
  bool held_ = false;
};

/// Size, and when content and attributes changed last, which no program can set back.
std::string state_of(const fs::path& file) {
  struct stat status {};
  if (::lstat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return "special";
  const auto nanoseconds = [](const timespec& t) { return fmt::format("{}.{:09}", t.tv_sec, t.tv_nsec); };
  return fmt::format("{} {} {}", status.st_size, nanoseconds(status.st_mtim), nanoseconds(status.st_ctim));
}

// One line a file: state and name, sorted.
std::string list_of(const fs::path& content) {
  std::vector<std::string> lines;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(content)) {
    if (entry.is_directory() && !entry.is_symlink()) continue;
    lines.push_back(fmt::format("{} {}\n", state_of(entry.path()), entry.path().lexically_relative(content).string()));
  }
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

// What a process that was killed left behind; while the lock is held no process still works there.
void remove_leftovers(const fs::path& root, const std::string& beginning) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(root, error)) {
    if (entry.path().filename().string().starts_with(beginning)) remove_folder(entry.path());
  }
}

// Temporary folders are locked as long as their process lives.
std::mutex held_folders_mutex;
std::map<fs::path, int> held_folders;
std::set<std::string> swept;  // beginnings of names whose abandoned folders were removed once

/// What processes that were killed left behind: nothing locks it, and it is no folder that is being made.
void remove_abandoned(const fs::path& parent, const std::string& beginning) {
  constexpr std::time_t minute = 60;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    if (!entry.path().filename().string().starts_with(beginning)) continue;
    struct stat status {};
    const int descriptor = ::open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) continue;
    const bool abandoned = ::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() &&
                           status.st_mtime + minute < std::time(nullptr) && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    if (abandoned) fs::remove_all(entry.path(), error);
    ::close(descriptor);
  }
}

bool is_whole(const fs::path& folder) {
  constexpr std::size_t largest_list = std::size_t{512} << 20;
  try {
    if (!is_ours_alone(folder)) return false;
    return formats::read_text((folder / list_name).string(), largest_list) == list_of(folder / content_name);
  } catch (const std::exception&) {
    return false;  // no list, or a folder that cannot be read: as good as not there
  }
}

}  // namespace

std::optional<fs::path> cache_root() {
  std::optional<fs::path> base = absolute_from_environment("XDG_CACHE_HOME");
  if (!base) {
    const std::optional<fs::path> home = absolute_from_environment("HOME");
    if (!home) return std::nullopt;
    base = *home / ".cache";
  }
  std::error_code error;
  fs::create_directories(*base, error);
  const fs::path root = *base / "seam";
  if (::mkdir(root.c_str(), 0700) != 0 && errno != EEXIST) return std::nullopt;
  if (!is_ours_alone(root) || ::access(root.c_str(), W_OK | X_OK) != 0) return std::nullopt;
  return root;
}

fs::path make_private_folder(const fs::path& parent, const std::string& beginning) {
  std::string pattern = (parent / (beginning + "XXXXXX")).string();
  if (!::mkdtemp(pattern.data())) fail("make a folder in", parent, std::strerror(errno));
  return pattern;
}

fs::path make_temporary_folder(const std::string& beginning) {
  std::error_code error;
  fs::path parent = fs::temp_directory_path(error);
  if (error) parent = "/tmp";
  const fs::path folder = make_private_folder(parent, beginning);
  const std::lock_guard lock(held_folders_mutex);
  if (swept.insert(beginning).second) remove_abandoned(parent, beginning);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) held_folders[folder] = descriptor;
  return folder;
}

void remove_folder(const fs::path& folder) noexcept {
  std::error_code ignored;
  {
    const std::lock_guard lock(held_folders_mutex);
    if (const auto held = held_folders.find(folder); held != held_folders.end()) {
      ::close(held->second);
      held_folders.erase(held);
    }
  }
  fs::remove_all(folder, ignored);
}

fs::path cached_folder(const fs::path& root, const std::string& name,
                       const std::function<void(const fs::path&)>& fill) {
  const fs::path folder = root / name;
  const Lock lock(root / (name + ".lock"));
  if (is_whole(folder)) return folder / content_name;
  const std::string beginning = name + ".part-";
  if (lock.held()) remove_leftovers(root, beginning);
  const fs::path made = make_private_folder(root, beginning);
  try {
    fs::create_directory(made / content_name);
    fill(made / content_name);
    formats::write_text((made / list_name).string(), list_of(made / content_name));
    // Moved aside first: removing in place would leave a half-empty folder to be seen.
    const fs::path broken = made.string() + ".broken";
    std::error_code error;
    fs::rename(folder, broken, error);
    fs::rename(made, folder, error);
    remove_folder(broken);
    if (error && !is_whole(folder)) fail("make the folder", folder, error.message());
  } catch (const fs::filesystem_error& error) {
    remove_folder(made);
    fail("fill the folder", made, error.code().message());
  } catch (...) {
    remove_folder(made);
    throw;
  }
  remove_folder(made);
  return folder / content_name;
}

}  // namespace seam::fmi
