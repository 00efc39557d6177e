// Where unpacked FMUs are kept, so that no other user can change them and no half-made folder is ever used.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace seam::fmi {

/// $XDG_CACHE_HOME/seam or ~/.cache/seam, made if it is not there; none if there is no home, or if the folder cannot be
/// made or belongs to another user.
std::optional<std::filesystem::path> cache_root();

/// A new folder of our own (mode 0700) in `parent` whose name begins with `beginning`.
/// Throws base::Error(Failure::file) if it cannot be made.
std::filesystem::path make_private_folder(const std::filesystem::path& parent, const std::string& beginning);

/// The same where temporary files lie. It is removed by remove_folder, or by a later process if this one is killed.
std::filesystem::path make_temporary_folder(const std::string& beginning);

/// Removes a folder with all that is in it; what cannot be removed stays.
void remove_folder(const std::filesystem::path& folder) noexcept;

/// The folder of this name in the cache, filled by `fill` if it is not there or damaged. Processes that want the same
/// folder wait for each other; what they see is whole.
std::filesystem::path cached_folder(const std::filesystem::path& root, const std::string& name,
                                    const std::function<void(const std::filesystem::path&)>& fill);

}  // namespace seam::fmi
