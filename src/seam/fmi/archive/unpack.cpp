#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "seam/base/error.hpp"
#include "seam/fmi/archive/archive.hpp"
#include "seam/fmi/archive/cache.hpp"
#include "seam/fmi/archive/platform.hpp"
#include "seam/fmi/description/notes.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/formats/sha256.hpp"
#include "seam/formats/zip.hpp"

namespace seam::fmi {
namespace {

namespace fs = std::filesystem;
using formats::ZipArchive;

// The archive is looked over again and its hash compared: the file may have changed since it was opened.
void unpack(const Fmu& fmu, const fs::path& folder, ZipArchive::Access access) {
  base::Problems problems;
  const std::optional<ZipArchive> archive = formats::open_zip(fmu.path, problems);
  base::require_none(problems);
  archive->extract(folder, access);
  if (formats::sha256_of_file(fmu.path) == fmu.hash) return;
  throw base::Error(base::Failure::file, fmt::format("\"{}\" was changed while it was being read", fmu.path));
}

std::vector<std::string> folders_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory(error)) names.push_back(formats::printable(entry.path().filename().string(), 40));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<fs::path> libraries_in(const fs::path& folder) {
  std::vector<fs::path> libraries;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_regular_file(error) && entry.path().extension() == ".so") libraries.push_back(entry.path());
  }
  return libraries;
}

std::string platforms_words(const fs::path& folder, Version version) {
  const std::vector<std::string> platforms = folders_in(folder / "binaries");
  std::string text = platforms.empty() ? std::string("it has no binaries at all")
                                       : fmt::format("it has {}", fmt::join(platforms, ", "));
  std::error_code error;
  const fs::path shipped = folder / "sources";
  if (version != Version::fmi1 && fs::is_directory(shipped, error) && !fs::is_empty(shipped, error)) {
    text += "; it ships its sources: `seam build` compiles them into a new FMU";
  }
  return text;
}

}  // namespace

Unpacked::Unpacked(const Fmu& fmu, Sharing sharing) {
  const std::optional<fs::path> root = sharing == Sharing::shared ? cache_root() : std::nullopt;
  if (root) {
    folder_ = cached_folder(*root, fmu.hash,
                            [&fmu](const fs::path& folder) { unpack(fmu, folder, ZipArchive::Access::read_only); });
    return;
  }
  folder_ = make_temporary_folder("seam-fmu-");
  owned_ = true;
  try {
    unpack(fmu, folder_, sharing == Sharing::shared ? ZipArchive::Access::read_only : ZipArchive::Access::writable);
  } catch (...) {
    remove_folder(folder_);
    throw;
  }
}

std::shared_ptr<const Unpacked> unpacked(const Fmu& fmu, Unpacked::Sharing sharing) {
  if (sharing == Unpacked::Sharing::private_copy) return std::make_shared<Unpacked>(fmu, sharing);
  static std::mutex one_at_a_time;
  static std::map<std::string, std::weak_ptr<const Unpacked>> shared;  // by hash
  const std::lock_guard lock(one_at_a_time);
  std::weak_ptr<const Unpacked>& known = shared[fmu.hash];
  auto files = known.lock();
  if (!files) known = files = std::make_shared<Unpacked>(fmu, sharing);
  return files;
}

Unpacked::~Unpacked() {
  if (owned_) remove_folder(folder_);
}

fs::path Unpacked::library(const std::string& model_identifier, Version version) const {
  if (!can_name_a_library(model_identifier)) {
    throw base::Error(base::Failure::subsystem,
                      fmt::format("modelIdentifier {} cannot name a library", in_quotes(model_identifier)));
  }
  const Machine machine = this_machine();
  std::array<const char*, 2> folders{machine.fmi2, machine.fmi3};
  if (version == Version::fmi3) std::swap(folders[0], folders[1]);
  std::error_code error;
  std::string present;
  for (const char* const platform : folders) {
    const fs::path path = folder_ / "binaries" / platform / (model_identifier + ".so");
    if (fs::is_regular_file(path, error)) return path;
    if (present.empty() && fs::is_directory(path.parent_path(), error)) present = platform;
  }
  if (!present.empty()) {
    const std::vector<fs::path> others = libraries_in(folder_ / "binaries" / present);
    if (others.size() == 1) return others.front();  // it can be no other's
    throw base::Error(base::Failure::subsystem,
                      fmt::format("the FMU has binaries for {}, but binaries/{} holds no {}.so", machine.shown, present,
                                  model_identifier));
  }
  throw base::Error(base::Failure::subsystem,
                    fmt::format("the FMU has no library for {} (binaries/{}/{}.so); {}", machine.shown, folders[0],
                                model_identifier, platforms_words(folder_, version)));
}

}  // namespace seam::fmi
