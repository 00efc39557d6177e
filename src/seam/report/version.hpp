// The version of seam, as CMake knows it.
#pragma once

namespace seam::report {

inline const char* version() { return SEAM_VERSION; }

}  // namespace seam::report
