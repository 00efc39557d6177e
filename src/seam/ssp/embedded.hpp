// What a package carries for us alone, below extra/: the plan, and what SSP cannot say of a subsystem.
#pragma once

#include <map>
#include <string>

#include "seam/load/plan_file.hpp"
#include "seam/ssp/package.hpp"

namespace seam::ssp {

inline constexpr const char* plan_name = "extra/org.seam-cosim/plan.yaml";
inline constexpr const char* subsystems_name = "extra/org.seam-cosim/subsystems.yaml";

/// By name; with everything but the FMU.
using EmbeddedSubsystems = std::map<std::string, system::Subsystem>;

load::PlanSections read_embedded_plan(const Package& package, base::Problems& problems);
/// Paths in it are relative to `folder`.
EmbeddedSubsystems read_embedded_subsystems(const Package& package, const std::string& folder,
                                            base::Problems& problems);

}  // namespace seam::ssp
