// How the sources of an FMU become its library, the same for FMI 2's list of files and FMI 3's buildDescription.xml.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seam/fmi/archive/archive.hpp"

namespace seam::fmi {

struct Definition {
  std::string name;
  std::optional<std::string> value;
};

/// Files that are compiled alike. Names are relative to sources/ and lead nowhere else.
struct SourceSet {
  std::string language;  ///< "C99", "C++11", …; empty: as the names of the files say
  std::string compiler;  ///< the one `options` is meant for
  std::string options;
  std::vector<std::string> files, include_folders;
  std::vector<Definition> definitions;
};

struct NeededLibrary {
  enum class Place { system, sources };
  std::string name;  ///< of characters that are safe in a file name and never begin an option
  Place place = Place::sources;
};

/// How names of C and C++ sources end.
inline constexpr std::array<std::string_view, 5> source_endings{".c", ".cc", ".cpp", ".cxx", ".C"};

/// One library to be made.
struct BuildConfiguration {
  std::string model_identifier;
  std::vector<SourceSet> sets;
  std::vector<NeededLibrary> libraries;
};

struct BuildDescription {
  std::vector<BuildConfiguration> configurations;  ///< one a model identifier that the description promises
  std::vector<std::string> notices;                ///< what had to be guessed
};

/// buildDescription.xml where there is one, else what modelDescription.xml lists, else the C and C++ files that are
/// there. None after problems.
std::optional<BuildDescription> read_build_description(const Fmu& fmu, base::Problems& problems);

/// The functions that a library has to have for what the description promises of all interfaces that it serves; without
/// those that only some FMUs need.
std::vector<std::string> required_functions(const ModelDescription& description, const std::string& model_identifier);

}  // namespace seam::fmi
