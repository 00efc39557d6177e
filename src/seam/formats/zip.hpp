// Zip archives of strangers: hostile until every entry was looked at. What is opened here is safe to unpack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seam/base/problem.hpp"

namespace seam::formats {

struct ZipEntry {
  enum class Kind { file, folder };
  std::string name;  ///< relative, parts between single `/`, no `.` and `..`, none at the end
  Kind kind = Kind::file;
  std::uint64_t size = 0, compressed_size = 0;
  std::uint64_t index = 0;   ///< in the archive
  bool executable = false;   ///< for its owner, by the archive's Unix mode
  bool backslashes = false;  ///< the archive writes `\` between parts, which the format forbids
};

struct ZipLimits {
  std::uint64_t entries = 100'000;
  std::uint64_t entry_bytes = std::uint64_t{2} << 30;
  std::uint64_t total_bytes = std::uint64_t{8} << 30;
  std::uint64_t ratio = 1000;  ///< of unpacked to packed bytes, for what unpacks to more than ratio_free_bytes
  std::uint64_t ratio_free_bytes = std::uint64_t{64} << 20;
  std::size_t name_parts = 32;
};

struct ZipHandle;

/// A file that joins the entries of an archive; it takes the place of an entry of its name.
struct ZipAddition {
  std::string name;            ///< in the archive, as ZipEntry writes it
  std::filesystem::path file;  ///< where its bytes are
};

/// A file of an archive that is nowhere else yet.
struct ZipText {
  std::string name;
  std::string text;
};

class ZipArchive {
 public:
  enum class Access { read_only, writable };

  ZipArchive(std::unique_ptr<ZipHandle> handle, std::vector<ZipEntry> entries);
  ~ZipArchive();
  ZipArchive(ZipArchive&&) noexcept;
  ZipArchive& operator=(ZipArchive&&) noexcept;

  const std::vector<ZipEntry>& entries() const { return entries_; }
  /// The entry of exactly this name, or nullptr.
  const ZipEntry* find(std::string_view name) const;

  /// Throws base::Error(Failure::file) if the bytes are damaged or more than `limit`.
  std::string read(const ZipEntry& entry, std::size_t limit) const;
  /// Into an existing, empty folder that no other user can enter. Owners alone get rights; set-uid and the like are
  /// dropped.
  void extract(const std::filesystem::path& folder, Access access) const;
  /// A new archive with all entries as they are and some more, executable. All or nothing: an archive that is there
  /// under the name is replaced by a whole one or stays.
  void write_with(const std::string& path, const std::vector<ZipAddition>& additions) const;

 private:
  std::unique_ptr<ZipHandle> handle_;
  std::vector<ZipEntry> entries_;
};

/// None after problems: no zip, encrypted, a compression other than deflate, links and special files, names that lead
/// out of the folder or collide (also if only by case), and more than the limits allow.
std::optional<ZipArchive> open_zip(const std::string& path, base::Problems& problems, const ZipLimits& limits = {});

/// A new archive of these files and texts, none of them executable; all or nothing, as write_with.
void write_zip(const std::string& path, const std::vector<ZipAddition>& files, const std::vector<ZipText>& texts);

}  // namespace seam::formats
