// What a source attribute may name: a file below the file that names it, or in a folder that the user has opened, and
// nothing else in the world.
#pragma once

#include <optional>
#include <string>

#include "seam/base/problem.hpp"
#include "seam/load/reach.hpp"

namespace seam::load {

struct Reference {
  /// Parts between single `/`, no `.` and `..`; empty: the file itself. Absolute if it lies in an opened folder.
  std::string path;
  std::string fragment;  ///< behind `#`
};

/// None after a problem: URIs of other places, paths out of reach, and what cannot be decoded.
std::optional<Reference> read_reference(const std::string& written, const Reach& reach, const base::Location& where,
                                        base::Problems& problems);

}  // namespace seam::load
