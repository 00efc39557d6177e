// What the compiler is told, as a list of words.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/fmi/archive/build_description.hpp"

namespace seam::toolchain {

using Words = std::vector<std::string>;

/// The system's compilers, as CC and CXX name them (with words of their own, divided by blanks), else cc and c++.
struct Compilers {
  Words c, cxx;
};
Compilers compilers_of_environment();

enum class Language { c, cxx };

/// How the files of a set are compiled.
struct Dialect {
  Language set = Language::c;     ///< of a set that names one
  bool by_name = true;            ///< the set names none: as each file's name says
  std::string standard;           ///< -std=…, or empty
  Words options;                  ///< those of the set that cannot do anything but compile differently
  std::vector<std::string> left;  ///< the others

  Language of(const std::string& file) const;
};
/// None, with a problem, if the language is neither C nor C++.
std::optional<Dialect> dialect_of(const fmi::SourceSet& set, const base::Location& where, base::Problems& problems);

/// The words after the compiler's own for one file; it runs where sources/ lies, so that messages name sources/….
struct Compilation {
  const fmi::SourceSet& set;
  const Dialect& dialect;
  std::string file;
  fmi::Version version = fmi::Version::fmi2;
  std::filesystem::path headers, object;
};
Words words_to_compile(const Compilation& compilation);

}  // namespace seam::toolchain
