// Names of zip entries: which are safe below a folder, and which are the same file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "seam/formats/zip.hpp"

namespace seam::formats {

/// The name with `/` alone between its parts; none, with the reason, if it could lead out of the folder.
std::optional<std::string> safe_entry_name(std::string_view written, std::size_t most_parts, std::string& reason);

/// Every file and folder that unpacking makes, to find two that are one.
class EntryNames {
 public:
  /// What the entry collides with; empty if with nothing.
  std::string add(const ZipEntry& entry);
  std::size_t size() const { return kinds_.size(); }

 private:
  std::unordered_map<std::string, ZipEntry::Kind> kinds_;  ///< by the name in lower case
};

}  // namespace seam::formats
