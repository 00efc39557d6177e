// Which messages of the FMUs are shown while they run.
#pragma once

#include <string>

#include "seam/fmi/instance/instance.hpp"

namespace seam::engine {

struct FmuLogRequest {
  enum class Calls { unheard, written } calls = Calls::unheard;
  std::string categories;  ///< "all", or names with commas between them; empty: messages are only kept for errors
  std::string file;        ///< empty: standard error
};

/// Lines go out at once, so that a crash loses none. Throws base::Error(file) if the file cannot be written.
fmi::Logging make_fmu_logging(const FmuLogRequest& request);

}  // namespace seam::engine
