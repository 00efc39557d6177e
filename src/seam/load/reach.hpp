// Where the files may lie that a system names, and how they are named: a system from elsewhere must not reach out of
// its folder, unless the user has opened another one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"

namespace seam::load {

/// Files outside the folder: of a file that the user named himself they are read, and that is said.
enum class Elsewhere { refused, read };

struct Reach {
  std::string folder;                    ///< relative paths begin here; empty: none may lead out by them
  std::vector<std::string> opened = {};  ///< by the user, besides
  Elsewhere elsewhere = Elsewhere::refused;
};

/// What to do about a path that is refused.
inline constexpr const char* how_to_reach = "--allow-path DIR opens another folder";

/// Whether a path is relative and leads nowhere upwards.
bool stays_below(const std::string& written);

/// Whether the file lies below one of the folders, links followed.
bool lies_in(const std::string& file, const std::vector<std::string>& folders);

/// Whether the path, as written in a file of the folder, may be opened; if that is an exception, it is noted.
bool may_be_read(const std::string& written, const Reach& reach, const base::Location& where, base::Problems& problems);

/// Why the text names no file, if it is an address of a tool that runs FMUs elsewhere; empty if it is none.
std::string why_no_file(const std::string& written);

struct Reference {
  /// Parts between single `/`, no `.` and `..`; empty: the file itself. Absolute if it lies in an opened folder.
  std::string path;
  std::string fragment;  ///< behind `#`
};

/// None after a problem: URIs of other places, paths out of reach, and what cannot be decoded.
std::optional<Reference> read_reference(const std::string& written, const Reach& reach, const base::Location& where,
                                        base::Problems& problems);

}  // namespace seam::load
