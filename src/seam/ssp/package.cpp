#include "seam/ssp/package.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "seam/base/error.hpp"
#include "seam/base/names.hpp"
#include "seam/fmi/archive/cache.hpp"
#include "seam/formats/sha256.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/formats/zip.hpp"

namespace seam::ssp {
namespace {

namespace fs = std::filesystem;

/// Folders of packages where no cache can be had; they live as long as the program.
class OwnFolders {
 public:
  ~OwnFolders() {
    for (const fs::path& folder : folders_) fmi::remove_folder(folder);
  }
  const fs::path& make() {
    folders_.push_back(fmi::make_temporary_folder("seam-ssp-"));
    return folders_.back();
  }

 private:
  std::vector<fs::path> folders_;
};

fs::path unpacked(const formats::ZipArchive& archive, const std::string& hash) {
  const auto fill = [&archive](const fs::path& folder) {
    archive.extract(folder, formats::ZipArchive::Access::read_only);
  };
  if (const auto root = fmi::cache_root()) return fmi::cached_folder(*root, hash, fill);
  static OwnFolders own;
  const fs::path& folder = own.make();
  fill(folder);
  return folder;
}

base::Location whole_file(const std::string& shown) {
  return {std::make_shared<base::Source>(base::Source{shown, {}}), 0, 0, 1};
}

}  // namespace

std::string Package::shown(const std::string& name) const {
  return shown_.empty() || fs::path(name).is_absolute() ? name : shown_ + "/" + name;
}

bool Package::has(const std::string& name) const {
  std::error_code error;
  return fs::is_regular_file(path(name), error);
}

std::optional<std::string> Package::read(const std::string& name, const base::Location& where,
                                         base::Problems& problems) const {
  if (!has(name)) {
    problems.add(where, fmt::format("there is no file \"{}\"", shown(name)));
    return std::nullopt;
  }
  try {
    return formats::read_text(path(name).string());
  } catch (const base::Error& error) {
    problems.add(where, error.what());
    return std::nullopt;
  }
}

std::vector<std::string> Package::descriptions() const {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    if (entry.path().extension() == ".ssd") names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

std::optional<Package> open_package(const std::string& path, const std::string& shown,
                                    const std::vector<std::string>& opened, base::Problems& problems) {
  base::Problems found;
  try {
    const auto archive = formats::open_zip(path, found);
    for (base::Problem problem : found.all()) {
      problem.where = whole_file(shown);
      problems.add(std::move(problem));
    }
    if (!archive) return std::nullopt;
    return Package(unpacked(*archive, formats::sha256_of_file(path)), shown, Package::Form::archive, opened);
  } catch (const base::Error& error) {
    problems.add(whole_file(shown), error.what());
    return std::nullopt;
  }
}

std::optional<std::string> read_inside(const std::string& archive, const std::string& name, const base::Location& where,
                                       base::Problems& problems) {
  base::Problems found;
  try {
    const auto zip = formats::open_zip(archive, found);
    for (const base::Problem& problem : found.all()) problems.add(where, problem.what, problem.mend);
    if (!zip) return std::nullopt;
    if (const formats::ZipEntry* entry = zip->find(name)) return zip->read(*entry, formats::largest_text_file);
    problems.add(where, fmt::format("there is no file \"{}\" inside \"{}\"", name, archive));
  } catch (const base::Error& error) {
    problems.add(where, error.what());
  }
  return std::nullopt;
}

}  // namespace seam::ssp
