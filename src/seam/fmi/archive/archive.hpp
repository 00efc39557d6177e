// An FMU file. Nothing in it is trusted before it was checked.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/fmi/description/model_description.hpp"

namespace seam::fmi {

/// An FMU opened for reading: its description, and where its files lie once they were unpacked.
struct Fmu {
  std::string path;  ///< as the user gave it
  ModelDescription description;
  std::array<bool, type_count> types{};  ///< that occur among the variables
  std::vector<std::string> platforms;    ///< folders below binaries/
  std::string hash;                      ///< SHA-256 of the file, hexadecimal: the name of its folder in the cache
  bool ships_sources = false;            ///< files below sources/
  std::vector<DescriptionProblem> found_in_archive;

  /// From its sources; those of FMI 1.0 are not compiled here.
  bool can_be_built() const { return ships_sources && description.version != Version::fmi1; }
};

/// Reads modelDescription.xml out of the archive and looks over the list of entries; unpacks and runs nothing.
/// None after problems that cannot be worked around (not a zip, no description, unreadable XML, FMI 1.0 that needs its
/// tool, unsafe entries). Lenient: what a run can work around becomes a notice for `seam check` (description_problems),
/// not a problem here.
std::optional<Fmu> open_fmu(const std::string& path, base::Problems& problems);

/// Everything the standard objects to in this FMU, ordered by line; errors and warnings for `seam check`.
std::vector<DescriptionProblem> description_problems(const Fmu& fmu);

/// Unpacks into $XDG_CACHE_HOME/seam (mode 0700, owner checked, renamed into place atomically, read-only), once per
/// content. `private_copy`: a folder of its own that is removed with the handle, for FMUs that write to their
/// resources.
class Unpacked {
 public:
  enum class Sharing { shared, private_copy };
  Unpacked(const Fmu& fmu, Sharing sharing);
  ~Unpacked();
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  /// binaries/<platform of this machine>/<model identifier>.so, or the only library there under another name (which is
  /// a problem of the archive, see open_fmu); throws base::Error naming the platforms present if there is none.
  std::filesystem::path library(const std::string& model_identifier, Version version) const;

 private:
  std::filesystem::path folder_;
  bool owned_ = false;
};

/// The same handle for all who share the files while one of them has it: they are looked over once.
std::shared_ptr<const Unpacked> unpacked(const Fmu& fmu, Unpacked::Sharing sharing);

}  // namespace seam::fmi
