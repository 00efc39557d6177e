// From a description as it was read to a system, step by step: changed as asked, described, resolved, validated, with a
// complete plan.
#pragma once

#include <optional>
#include <string>

#include "seam/base/problem.hpp"
#include "seam/engine/open/system.hpp"

namespace seam::engine {

/// A system file, a package or description of SSP, or a structure of OSP. None if nothing can be read at all.
std::optional<system::SystemDescription> read_description(const std::string& path, const Changes& changes,
                                                          base::Problems& problems);
/// In this order. All other changes follow by `apply`.
void change_settings(const std::vector<system::Setting>& set, system::SystemDescription& description,
                     base::Problems& problems);
/// Ports, paths, inputs and events, once it is changed. Models are taken from the cache, if there is one.
void describe(const Changes& changes, system::SystemDescription& description, base::Problems& problems,
              load::ModelCache* cache = nullptr);
/// The end: throws base::ProblemsFound with all that was found, here and before.
System planned(system::SystemDescription description, const Changes& changes, base::Problems& problems);

/// All of them but reading.
System completed(system::SystemDescription description, const Changes& changes, base::Problems& problems);

}  // namespace seam::engine
