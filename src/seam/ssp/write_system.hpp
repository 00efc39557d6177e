// A system description as a package of the SSP standard.
#pragma once

#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::ssp {

/// What the standard has no words for; it is in the package all the same, where only we read it.
struct PackageRemarks {
  std::vector<std::string> ours_alone;
};

/// `tool` is written as the generating tool and begins with own_tool. The description is described and resolved. Throws
/// base::Error(file) if the package cannot be written; what cannot be packed is a problem, and then nothing is written.
PackageRemarks write_package(const system::SystemDescription& description, const std::string& path,
                             const std::string& tool, base::Problems& problems);

}  // namespace seam::ssp
