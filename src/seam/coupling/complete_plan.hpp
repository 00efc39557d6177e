// What the user asked for, made complete: every default filled in from the catalog and the description.
#pragma once

#include <optional>

#include "seam/base/problem.hpp"
#include "seam/system/plan.hpp"

namespace seam::coupling {

/// None if something the user must say is missing or wrong. What is still `auto` gets the default.
std::optional<system::Plan> complete_plan(const system::SystemDescription& description, base::Problems& problems);

}  // namespace seam::coupling
