#include "seam/load/reach.hpp"

#include <algorithm>
#include <filesystem>

namespace seam::load {
namespace {

namespace fs = std::filesystem;

}  // namespace

bool stays_below(const std::string& written) {
  const fs::path path(written);
  if (path.is_absolute()) return false;
  return std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

bool lies_in(const std::string& file, const std::vector<std::string>& folders) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(file, error);
  if (error) return false;
  return std::ranges::any_of(folders, [&](const std::string& folder) {
    const fs::path root = fs::weakly_canonical(folder.empty() ? "." : folder, error);
    const fs::path inside = error ? fs::path() : real.lexically_relative(root);
    return !inside.empty() && *inside.begin() != "..";
  });
}

bool is_in_reach(const std::string& written, const Reach& reach) {
  return stays_below(written) || lies_in((fs::path(reach.folder) / written).string(), reach.opened);
}

}  // namespace seam::load
