// A source FMU becomes one with a library for this platform.
#pragma once

#include "seam/toolchain/build.hpp"

namespace seam::engine {

using toolchain::BuildRequest;
using toolchain::Built;

/// None if it was asked to stop. Throws base::ProblemsFound, or base::Error with the compiler's words.
inline std::optional<Built> build_fmu(const BuildRequest& request) { return toolchain::build(request); }

}  // namespace seam::engine
