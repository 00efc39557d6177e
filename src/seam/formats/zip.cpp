#include "seam/formats/zip.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <system_error>

#include "seam/base/error.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/formats/zip_handle.hpp"
#include "seam/formats/zip_names.hpp"

namespace seam::formats {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_refused = 10;  // entries named before we stop looking

struct UnixMode {
  mode_t type = S_IFREG;
  bool executable = false;
};

// The upper half of the external attributes is the Unix mode if the archive says it was made on such a system.
UnixMode mode_of(zip_t* archive, zip_uint64_t index) {
  zip_uint8_t made_on = ZIP_OPSYS_DOS;
  zip_uint32_t attributes = 0;
  if (zip_file_get_external_attributes(archive, index, 0, &made_on, &attributes) != 0) return {};
  if (made_on != ZIP_OPSYS_UNIX && made_on != ZIP_OPSYS_OS_X) return {};
  const auto mode = static_cast<mode_t>(attributes >> 16);
  const mode_t type = mode & S_IFMT;
  return {type == 0 ? static_cast<mode_t>(S_IFREG) : type, (mode & S_IXUSR) != 0};
}

/// Looks at every entry before anything is unpacked.
class EntryInspector {
 public:
  EntryInspector(zip_t* archive, const ZipLimits& limits, std::uint64_t file_bytes)
      : archive_(archive), limits_(limits), file_bytes_(file_bytes) {}

  /// Why the entry is refused, or empty; a good one is appended to `entries`.
  std::string take(zip_uint64_t index, std::vector<ZipEntry>& entries) {
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_stat_index(archive_, index, ZIP_FL_ENC_RAW, &status) != 0 || !(status.valid & ZIP_STAT_NAME)) {
      return fmt::format("entry {} cannot be read", index);
    }
    const std::string_view written = status.name;
    const std::string shown = fmt::format("entry \"{}\" ", printable(written));
    if (written == "./" && (status.valid & ZIP_STAT_SIZE) && status.size == 0) return {};  // the folder itself
    std::string reason;
    const std::optional<std::string> name = safe_entry_name(written, limits_.name_parts, reason);
    if (!name) return shown + reason;
    reason = unusable(status);
    if (!reason.empty()) return shown + reason;
    const UnixMode mode = mode_of(archive_, index);
    if (S_ISLNK(mode.type)) return shown + "is a link";
    if (!S_ISREG(mode.type) && !S_ISDIR(mode.type)) return shown + "is a device or another special file";
    const bool is_folder = S_ISDIR(mode.type) || written.back() == '/' || written.back() == '\\';
    ZipEntry entry{*name,
                   is_folder ? ZipEntry::Kind::folder : ZipEntry::Kind::file,
                   status.size,
                   status.comp_size,
                   index,
                   mode.executable,
                   written.find('\\') != std::string_view::npos};
    const std::string other = names_.add(entry);
    if (!other.empty() && is_repeated(status, entry, entries)) return {};
    if (!other.empty()) return shown + "collides with " + printable(other);
    if (names_.size() > 2 * limits_.entries) return fmt::format("it unpacks to more than {} folders", limits_.entries);
    entries.push_back(std::move(entry));
    return {};
  }

  /// What is wrong with all entries together, or empty.
  std::string total_problem() const {
    if (size_ > limits_.total_bytes) return fmt::format("it unpacks to more than {} bytes", limits_.total_bytes);
    if (packed_ > file_bytes_) return "its entries overlap: together they are larger than the file";
    if (is_bomb(size_, file_bytes_)) return fmt::format("it unpacks to more than {} times its size", limits_.ratio);
    return {};
  }

 private:
  bool is_bomb(std::uint64_t size, std::uint64_t packed) const {
    return size > limits_.ratio_free_bytes && size / limits_.ratio > packed;
  }

  std::string unusable(const zip_stat_t& status) {
    constexpr zip_uint64_t needed =
        ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if ((status.valid & needed) != needed) return "does not tell its size";
    if (status.encryption_method != ZIP_EM_NONE) return "is encrypted";
    if (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE) {
      return fmt::format("is compressed by method {}; only stored and deflated entries are read", status.comp_method);
    }
    if (status.size > limits_.entry_bytes) return fmt::format("unpacks to more than {} bytes", limits_.entry_bytes);
    if (status.comp_size > file_bytes_) return "claims to be larger than the file it is in";
    if (is_bomb(status.size, status.comp_size))
      return fmt::format("unpacks to more than {} times its size", limits_.ratio);
    size_ += status.size;
    packed_ += status.comp_size;
    return {};
  }

  /// Whether the archive has this entry already, with the same content: some tools write files twice.
  bool is_repeated(const zip_stat_t& status, const ZipEntry& entry, const std::vector<ZipEntry>& entries) {
    const auto first = std::ranges::find(entries, entry.name, &ZipEntry::name);
    zip_stat_t known;
    if (first == entries.end() || zip_stat_index(archive_, first->index, ZIP_FL_ENC_RAW, &known) != 0) return false;
    const bool have_sums = (status.valid & known.valid & ZIP_STAT_CRC) != 0;
    if (!have_sums || first->kind != entry.kind || known.size != status.size || known.crc != status.crc) return false;
    size_ -= status.size;
    packed_ -= status.comp_size;
    return true;
  }

  zip_t* archive_;
  const ZipLimits& limits_;
  std::uint64_t file_bytes_;
  std::uint64_t size_ = 0, packed_ = 0;  // no overflow: the limits of one entry times those of the count are small
  EntryNames names_;
};

[[noreturn]] void fail(const std::string& path, const ZipEntry& entry, std::string_view reason) {
  throw base::Error(base::Failure::file,
                    fmt::format("cannot read \"{}\" in \"{}\": {}", printable(entry.name), path, reason));
}

// Hands the unpacked bytes on, piece by piece, and stops where they are more than the entry declares.
void read_pieces(const ZipHandle& handle, const ZipEntry& entry, const std::function<void(std::string_view)>& take) {
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(handle.archive, entry.index, 0),
                                                               zip_fclose);
  if (!file) fail(handle.path, entry, zip_strerror(handle.archive));
  std::vector<char> buffer(std::size_t{1} << 16);
  std::uint64_t total = 0;
  for (;;) {
    const zip_int64_t got = zip_fread(file.get(), buffer.data(), buffer.size());
    if (got < 0) fail(handle.path, entry, zip_file_strerror(file.get()));
    if (got == 0) break;
    total += static_cast<std::uint64_t>(got);
    if (total > entry.size) fail(handle.path, entry, "it is larger than it declares");
    take({buffer.data(), static_cast<std::size_t>(got)});
  }
  if (total != entry.size) fail(handle.path, entry, "it is shorter than it declares");
}

// Null, with the reason, if this is no archive.
std::unique_ptr<ZipHandle> open_handle(const std::string& path, std::string& reason) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) reason = "there is no such file";
  if (fs::exists(status) && !fs::is_regular_file(status)) reason = "this is no ordinary file";
  if (!reason.empty()) return nullptr;
  if (fs::file_size(path, error) == 0) reason = "the file is empty";
  int code = 0;
  zip_t* archive = reason.empty() ? zip_open(path.c_str(), ZIP_RDONLY, &code) : nullptr;
  if (archive) return std::make_unique<ZipHandle>(archive, path);
  zip_error_t detail;
  zip_error_init_with_code(&detail, code);
  if (reason.empty()) reason = fmt::format("this is not a whole zip archive: {}", zip_error_strerror(&detail));
  zip_error_fini(&detail);
  return nullptr;
}

}  // namespace

ZipArchive::ZipArchive(std::unique_ptr<ZipHandle> handle, std::vector<ZipEntry> entries)
    : handle_(std::move(handle)), entries_(std::move(entries)) {}
ZipArchive::~ZipArchive() = default;
ZipArchive::ZipArchive(ZipArchive&&) noexcept = default;
ZipArchive& ZipArchive::operator=(ZipArchive&&) noexcept = default;

const ZipEntry* ZipArchive::find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &ZipEntry::name);
  return found == entries_.end() ? nullptr : &*found;
}

std::string ZipArchive::read(const ZipEntry& entry, std::size_t limit) const {
  if (entry.size > limit) fail(handle_->path, entry, fmt::format("it is larger than {} bytes", limit));
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(entry.size));
  read_pieces(*handle_, entry, [&bytes](std::string_view piece) { bytes += piece; });
  return bytes;
}

void ZipArchive::extract(const fs::path& folder, Access access) const {
  const fs::perms writing = access == Access::writable ? fs::perms::owner_write : fs::perms::none;
  try {
    for (const ZipEntry& entry : entries_) {
      const fs::path target = folder / entry.name;
      if (entry.kind == ZipEntry::Kind::folder) {
        fs::create_directories(target);
        continue;
      }
      fs::create_directories(target.parent_path());
      OpenFile file(target.string(), OpenFile::For::new_file);
      read_pieces(*handle_, entry, [&file](std::string_view piece) { file.write(piece); });
      file.close();
      fs::permissions(target,
                      fs::perms::owner_read | writing | (entry.executable ? fs::perms::owner_exec : fs::perms::none));
    }
  } catch (const fs::filesystem_error& error) {
    throw base::Error(base::Failure::file, fmt::format("cannot unpack \"{}\" into \"{}\": {}", handle_->path,
                                                       folder.string(), error.code().message()));
  }
}

std::optional<ZipArchive> open_zip(const std::string& path, base::Problems& problems, const ZipLimits& limits) {
  const base::Location where{std::make_shared<base::Source>(base::Source{path, {}}), 0, 0, 1};
  const auto refuse = [&](std::string what) {
    problems.add(where, std::move(what));
    return std::nullopt;
  };
  std::string reason;
  std::unique_ptr<ZipHandle> handle = open_handle(path, reason);
  if (!handle) return refuse(reason);
  const auto count = static_cast<std::uint64_t>(zip_get_num_entries(handle->archive, 0));
  if (count == 0) return refuse("the archive is empty");
  if (count > limits.entries) return refuse(fmt::format("the archive has more than {} entries", limits.entries));
  std::error_code error;
  EntryInspector inspector(handle->archive, limits, fs::file_size(path, error));
  std::vector<ZipEntry> entries;
  std::size_t refused = 0;
  for (std::uint64_t index = 0; index < count && refused < most_refused; ++index) {
    const std::string problem = inspector.take(index, entries);
    if (problem.empty()) continue;
    ++refused;
    problems.add(where, problem);
  }
  if (refused > 0) return std::nullopt;
  const std::string problem = inspector.total_problem();
  if (!problem.empty()) return refuse(problem);
  return ZipArchive(std::move(handle), std::move(entries));
}

}  // namespace seam::formats
