// Every parameter and start value of a system, and where it came from.
#pragma once

#include <string>
#include <vector>

#include "seam/engine/open/system.hpp"

namespace seam::engine {

struct ParameterOrigin {
  enum class Source {
    fmu,    ///< not set: what the FMU has
    model,  ///< not set: what the built-in model has
    file,   ///< a system file, or a parameter set of an SSP
    flag    ///< of the command line
  };
  std::string subsystem;
  std::string name;   ///< entries of a map apart: "coupling.k"
  std::string value;  ///< as written, with its unit; start values of an array one after the other
  Source source = Source::file;
  base::Location where;    ///< of a file or flag
  base::Location mapping;  ///< that led there from another name; without a source: none
};

/// In the order of the subsystems; of each first what was set, then what was not. Throws base::ProblemsFound if an FMU
/// cannot be read.
std::vector<ParameterOrigin> parameter_origins(const System& system);

}  // namespace seam::engine
