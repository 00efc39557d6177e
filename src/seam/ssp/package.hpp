// Where the files of a system lie: a package that was unpacked, or the folder of a bare SSD.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/load/reach.hpp"

namespace seam::ssp {

/// Where a package keeps what its descriptions name.
inline constexpr const char* resources = "resources/";
/// How the packages begin that we write.
inline constexpr const char* own_tool = "seam ";

/// Names are relative, with `/` between their parts, as read_reference gives them; absolute in folders that the user
/// has opened.
class Package {
 public:
  enum class Form { archive, folder };
  Package(std::filesystem::path folder, std::string shown, Form form, std::vector<std::string> opened,
          load::Elsewhere elsewhere = load::Elsewhere::refused)
      : folder_(std::move(folder)),
        shown_(std::move(shown)),
        form_(form),
        opened_(std::move(opened)),
        elsewhere_(elsewhere) {}

  /// For messages: `x.ssp/resources/a.ssv`.
  std::string shown(const std::string& name) const;
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  bool has(const std::string& name) const;
  /// None after a problem.
  std::optional<std::string> read(const std::string& name, const base::Location& where, base::Problems& problems) const;
  /// The descriptions at the root of an archive.
  std::vector<std::string> descriptions() const;
  const std::filesystem::path& folder() const { return folder_; }
  Form form() const { return form_; }
  const std::vector<std::string>& opened() const { return opened_; }
  load::Elsewhere elsewhere() const { return elsewhere_; }

 private:
  std::filesystem::path folder_;
  std::string shown_;
  Form form_;
  std::vector<std::string> opened_;  ///< folders beside it that its files may name
  load::Elsewhere elsewhere_;        ///< of a folder: whether they may name files anywhere
};

/// Looks over every entry and unpacks into the cache, once per content. `shown` is how messages call it.
std::optional<Package> open_package(const std::string& path, const std::string& shown,
                                    const std::vector<std::string>& opened, base::Problems& problems);

/// One file of an archive (an FMU, say) without unpacking it; none after a problem.
std::optional<std::string> read_inside(const std::string& archive, const std::string& name, const base::Location& where,
                                       base::Problems& problems);

}  // namespace seam::ssp
