// FMUs that a process has opened, by their files: each is read and described once.
#pragma once

#include <memory>
#include <string>

#include "seam/base/problem.hpp"
#include "seam/fmi/description/ports.hpp"
#include "seam/fmi/instance/instance.hpp"
#include "seam/system/description.hpp"

namespace seam::load {

/// Opens an FMU once per content, however often it is asked for.
std::shared_ptr<const fmi::Fmu> open_fmu_once(const std::string& path, const base::Location& where,
                                              base::Problems& problems);

/// The FMU of a subsystem that was described; null if it is of another kind, or cannot be opened any more.
std::shared_ptr<const fmi::Fmu> fmu_of(const system::Subsystem& subsystem);

/// The ports of an FMU, once for all subsystems that are made of it with these sizes.
std::shared_ptr<const fmi::Ports> ports_once(const std::shared_ptr<const fmi::Fmu>& fmu,
                                             const fmi::Structure& structure);

}  // namespace seam::load
