// From a description as it was read to a system, step by step: changed as asked, described, resolved, validated, with a
// complete plan.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/system/description.hpp"

namespace seam::engine {

base::Strictness strictness(const Changes& changes);

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

/// All but `set`, which comes first. Flags win over the file. A problem shows the flag as the user wrote it.
void apply(const Changes& changes, system::SystemDescription& description, base::Problems& problems);

void apply(const CouplingChanges& changes, system::SystemDescription& description);
void record_variables(const std::vector<std::string>& patterns, system::SystemDescription& description);

/// What the texts say; a part that is wrong is left out, with a problem.
CouplingChanges read_coupling_changes(const Changes& changes, base::Problems& problems);

/// NAME[,key=value...], or {NAME: {key: value}} as in a file; only after problems it is empty.
system::MethodRequest parse_method(const std::string& flag, const std::string& text, base::Problems& problems);

/// The paths of the ports that the path of a change is another name for; itself if it is none. A connector whose values
/// would be converted on their way is a problem.
std::vector<std::string> without_aliases(const system::Setting& change, const system::SystemDescription& description,
                                         base::Problems& problems);

/// In the plan of connections, in events and in the list of variables.
void replace_aliases(system::SystemDescription& description, base::Problems& problems);

/// Whether numbers arrive as they were sent.
bool is_plain(const system::Connection& way);

/// From an input of the whole system to the ports behind it; none if there is no such input.
std::vector<system::Connection> ways_from(const std::string& name, const system::SystemDescription& description);

/// The table that a user named by a flag, wherever it lies.
void take_input_file(const std::string& file, system::SystemDescription& description);

/// Constants become an event at the start. The start time is known.
void set_free_inputs(system::SystemDescription& description);

/// The table becomes a subsystem, and each of its columns a connection to the input it is named after:
/// `subsystem.port`, an input of the whole system, or `port` of the first of several FMUs. Ports are known.
void feed_free_inputs(system::SystemDescription& description, base::Problems& problems);

}  // namespace seam::engine
