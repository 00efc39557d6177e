// What a source attribute may name: a file below the file that names it, and nothing else in the world.
#pragma once

#include <optional>
#include <string>

#include "seam/base/problem.hpp"

namespace seam::ssp {

struct Reference {
  std::string path;      ///< parts between single `/`, no `.` and `..`; empty: the file itself
  std::string fragment;  ///< behind `#`
};

/// None after a problem: absolute URIs and paths (http, file, drive letters), `..`, and what cannot be decoded.
std::optional<Reference> read_reference(const std::string& written, const base::Location& where,
                                        base::Problems& problems);

}  // namespace seam::ssp
