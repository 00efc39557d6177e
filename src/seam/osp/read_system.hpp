// A system structure of the Open Simulation Platform as the system description that a system file gives.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/load/plan_file.hpp"
#include "seam/load/reach.hpp"
#include "seam/system/description.hpp"

namespace seam::osp {

/// By the name of the file.
bool names_a_structure(const std::string& path);

/// None if nothing can be read at all. No code of an FMU is loaded. What `plan` says wins over the file; sources lie
/// below the file or in folders that were opened.
std::optional<system::SystemDescription> read_system(const std::string& path, const load::PlanSections& plan,
                                                     const load::Reach& reach, base::Problems& problems);

}  // namespace seam::osp
