#include "seam/formats/zip_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace seam::formats {
namespace {

constexpr std::size_t longest_part = 255;  // what file systems take
constexpr std::size_t longest_name = 2048;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::vector<std::string_view> split(std::string_view name) {
  std::vector<std::string_view> parts;
  while (!name.empty()) {
    const std::size_t end = name.find('/');
    const std::string_view part = name.substr(0, end);
    if (!part.empty() && part != ".") parts.push_back(part);
    name = end == std::string_view::npos ? std::string_view{} : name.substr(end + 1);
  }
  return parts;
}

std::string folded(std::string_view name) {
  std::string result(name);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

}  // namespace

std::optional<std::string> safe_entry_name(std::string_view written, std::size_t most_parts, std::string& reason) {
  const auto refuse = [&reason](std::string why) {
    reason = std::move(why);
    return std::nullopt;
  };
  if (written.size() > longest_name) return refuse(fmt::format("is longer than {} bytes", longest_name));
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
  if (std::ranges::any_of(written, is_control)) return refuse("holds a control character");
  std::string name(written);
  std::ranges::replace(name, '\\', '/');
  if (!name.empty() && name.front() == '/') return refuse("is an absolute path");
  if (name.size() > 1 && name[1] == ':' && is_letter(name[0])) return refuse("begins with a drive letter");
  const std::vector<std::string_view> parts = split(name);
  if (parts.empty()) return refuse("names nothing");
  if (parts.size() > most_parts) return refuse(fmt::format("is nested more than {} folders deep", most_parts));
  for (const std::string_view part : parts) {
    if (part == "..") return refuse("leads out of its folder by \"..\"");
    if (part.size() > longest_part) return refuse(fmt::format("has a part longer than {} bytes", longest_part));
  }
  return fmt::format("{}", fmt::join(parts, "/"));
}

std::string EntryNames::add(const ZipEntry& entry) {
  const std::string name = folded(entry.name);
  for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
    const auto [folder, is_new] = kinds_.emplace(name.substr(0, end), ZipEntry::Kind::folder);
    if (folder->second == ZipEntry::Kind::file) return "the file \"" + folder->first + "\"";
  }
  const auto [other, is_new] = kinds_.emplace(name, entry.kind);
  if (is_new) return {};
  const bool both_folders = entry.kind == ZipEntry::Kind::folder && other->second == ZipEntry::Kind::folder;
  return both_folders ? std::string{} : "another entry of this name";
}

}  // namespace seam::formats
