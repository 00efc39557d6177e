// Connections of variables, groups and functions as connections of ports.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "seam/fmi/archive/archive.hpp"
#include "seam/osp/structure.hpp"

namespace seam::osp {

/// A simulator that became a subsystem.
struct Part {
  std::string name;                     ///< of the subsystem
  std::shared_ptr<const fmi::Fmu> fmu;  ///< null: it could not be opened, and that was said
};
using Parts = std::map<std::string, Part>;  ///< by the name of the simulator

/// Adds connections to the description, and a subsystem for every sum. A linear transformation becomes gain and offset
/// of the connections through it.
void wire(const Structure& structure, const Parts& parts, system::SystemDescription& description,
          base::Problems& problems);

}  // namespace seam::osp
