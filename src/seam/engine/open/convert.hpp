// One system in another format: a system file becomes a package of SSP, and back.
#pragma once

#include <string>
#include <vector>

#include "seam/engine/open/system.hpp"

namespace seam::engine {

struct ConvertRequest {
  std::string from, to;  ///< the formats follow from the names
  std::string tool;      ///< who writes it: "seam 1.2.3"
  enum class Existing { kept, replaced } existing = Existing::kept;
};

struct Converted {
  std::string file;
  std::vector<std::string> files;       ///< that a system file needs beside it, relative to it
  std::vector<std::string> ours_alone;  ///< what is in the package for seam alone
};

/// Changes are applied first. Throws base::ProblemsFound; an existing file is a problem unless it may be replaced.
Converted convert(const ConvertRequest& request, const Changes& changes);

}  // namespace seam::engine
