// The system file (YAML or JSON) as a SystemDescription: what each key means. Models and methods are only named here;
// whoever has the catalogs checks them.
#pragma once

#include <optional>
#include <string>

#include "seam/base/problem.hpp"
#include "seam/formats/yaml.hpp"
#include "seam/load/plan_file.hpp"
#include "seam/system/description.hpp"

namespace seam::load {

/// None if nothing can be read at all. Otherwise the description as far as it could be read: ask `problems` whether it
/// is whole. A subsystem without a model (its problem is noted) has an empty `model`. What `plan` says wins over the
/// file, and over its design if one is named.
std::optional<system::SystemDescription> read_system_file(const std::string& path, base::Problems& problems,
                                                          const PlanSections& plan = {},
                                                          const std::string& design = {});

/// The same from a text; `path` gives the name, the folder and the places in messages.
std::optional<system::SystemDescription> read_system_text(std::string text, const std::string& path,
                                                          base::Problems& problems, const PlanSections& plan = {},
                                                          const std::string& design = {});

/// `seam: 1` and nothing else.
void check_version(const formats::Node& root, base::Problems& problems);

/// The events of a scenario file: `seam: 1` and `events`.
std::vector<system::Event> read_scenario_file(const std::string& path, base::Problems& problems);

// The parts, one source file each.
std::vector<system::Event> read_events(const formats::Node& node, base::Problems& problems);
system::Subsystem read_subsystem(const formats::Node::Entry& entry, const std::string& folder,
                                 base::Problems& problems);
/// Connections and the bonds among them; units must be there.
void read_connections(const formats::Node& node, system::SystemDescription& description, base::Problems& problems);
/// Bonds of connections that are there already.
void read_bonds(const formats::Node& node, system::SystemDescription& description, base::Problems& problems);
system::PlanRequest read_plan(const formats::Node& node, base::Problems& problems);

}  // namespace seam::load
