#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "seam/base/error.hpp"
#include "seam/formats/zip_handle.hpp"

namespace seam::formats {
namespace {

[[noreturn]] void fail(const std::string& path, std::string_view reason) {
  throw base::Error(base::Failure::file, fmt::format("cannot write \"{}\": {}", path, reason));
}

/// An archive under way beside its target; without `finish` nothing of it remains.
class Draft {
 public:
  explicit Draft(std::string target)
      : target_(std::move(target)), draft_(fmt::format("{}.part-{}", target_, ::getpid())) {
    int code = 0;
    archive_ = zip_open(draft_.c_str(), ZIP_CREATE | ZIP_EXCL, &code);
    if (archive_) return;
    zip_error_t detail;
    zip_error_init_with_code(&detail, code);
    const std::string reason = zip_error_strerror(&detail);
    zip_error_fini(&detail);
    fail(target_, reason);
  }
  ~Draft() {
    if (archive_) zip_discard(archive_);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  /// Its packed bytes are taken over as they are.
  void copy(zip_t* from, const ZipEntry& entry) {
    if (entry.kind == ZipEntry::Kind::folder) {
      require(zip_dir_add(archive_, entry.name.c_str(), ZIP_FL_ENC_UTF_8));
      return;
    }
    const zip_int64_t index = add(entry.name, zip_source_zip(archive_, from, entry.index, 0, 0, -1));
    zip_uint8_t made_on = ZIP_OPSYS_DOS;
    zip_uint32_t attributes = 0;
    if (zip_file_get_external_attributes(from, entry.index, 0, &made_on, &attributes) == 0)
      zip_file_set_external_attributes(archive_, static_cast<zip_uint64_t>(index), 0, made_on, attributes);
  }
  enum class Rights { executable, readable };
  void add(const ZipAddition& addition, Rights rights) {
    set_rights(add(addition.name, zip_source_file(archive_, addition.file.c_str(), 0, -1)), rights);
  }
  /// The text must live until `finish`.
  void add(const ZipText& text) {
    set_rights(add(text.name, zip_source_buffer(archive_, text.text.data(), text.text.size(), 0)), Rights::readable);
  }
  /// All bytes are read and written here.
  void finish() {
    require(zip_close(archive_));
    archive_ = nullptr;
    std::error_code error;
    std::filesystem::rename(draft_, target_, error);
    if (!error) return;
    std::filesystem::remove(draft_);
    fail(target_, error.message());
  }

 private:
  zip_int64_t add(const std::string& name, zip_source_t* source) {
    if (!source) fail(target_, zip_strerror(archive_));
    const zip_int64_t index = zip_file_add(archive_, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) zip_source_free(source);
    require(index);
    return index;
  }
  void set_rights(zip_int64_t index, Rights rights) {
    const zip_uint32_t mode = S_IFREG | (rights == Rights::executable ? 0755 : 0644);
    require(
        zip_file_set_external_attributes(archive_, static_cast<zip_uint64_t>(index), 0, ZIP_OPSYS_UNIX, mode << 16));
  }
  void require(zip_int64_t answer) {
    if (answer < 0) fail(target_, zip_strerror(archive_));
  }

  std::string target_, draft_;
  zip_t* archive_ = nullptr;
};

}  // namespace

void ZipArchive::write_with(const std::string& path, const std::vector<ZipAddition>& additions) const {
  Draft draft(path);
  for (const ZipEntry& entry : entries_) {
    const bool replaced =
        std::ranges::any_of(additions, [&](const ZipAddition& addition) { return addition.name == entry.name; });
    if (!replaced) draft.copy(handle_->archive, entry);
  }
  for (const ZipAddition& addition : additions) draft.add(addition, Draft::Rights::executable);
  draft.finish();
}

void write_zip(const std::string& path, const std::vector<ZipAddition>& files, const std::vector<ZipText>& texts) {
  Draft draft(path);
  for (const ZipAddition& file : files) draft.add(file, Draft::Rights::readable);
  for (const ZipText& text : texts) draft.add(text);
  draft.finish();
}

}  // namespace seam::formats
