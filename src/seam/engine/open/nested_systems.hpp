// Systems inside a system file: what they contain comes in their place, with their name in front.
#pragma once

#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::engine {

/// Every `system: FILE` of a description that was read from `path` becomes the subsystems and connections of that file,
/// and of those inside it. Experiment, plan and record are those of the outermost file.
void put_systems_in_place(const std::string& path, system::SystemDescription& description, base::Problems& problems);

}  // namespace seam::engine
