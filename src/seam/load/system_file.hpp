// The system file (YAML or JSON) as a SystemDescription: what each key means. Models and methods are only named here;
// the rooms with the catalogs check them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/formats/yaml.hpp"
#include "seam/load/plan_file.hpp"
#include "seam/load/reach.hpp"
#include "seam/system/description.hpp"

namespace seam::load {

struct FileOptions {
  PlanSections plan = {};                        ///< wins over the file and its design
  std::string design = {};                       ///< of the file's; empty: none
  std::vector<std::string> opened_folders = {};  ///< paths may lead there, besides below the file
  Elsewhere elsewhere = Elsewhere::refused;      ///< or anywhere
};

/// None if nothing can be read at all. Otherwise the description as far as it could be read: ask `problems` whether it
/// is whole. A subsystem without a model (its problem is noted) has an empty `model`.
std::optional<system::SystemDescription> read_system_file(const std::string& path, base::Problems& problems,
                                                          const FileOptions& options = {});

/// The same from a text; `path` gives the name, the folder and the places in messages.
std::optional<system::SystemDescription> read_system_text(std::string text, const std::string& path,
                                                          base::Problems& problems, const FileOptions& options = {});

/// `seam: 1` and nothing else.
void check_version(const formats::Node& root, base::Problems& problems);

/// The events of a scenario file: `seam: 1` and `events`.
std::vector<system::Event> read_scenario_file(const std::string& path, base::Problems& problems);

// The parts, one source file each.
/// The entries of a map, each with its path.
std::vector<system::EventTarget> read_targets(const formats::Node& map, base::Problems& problems);
std::vector<system::Event> read_events(const formats::Node& node, base::Problems& problems);
system::Subsystem read_subsystem(const formats::Node::Entry& entry, const Reach& reach, base::Problems& problems);
/// Connections and the bonds among them; units must be there.
void read_connections(const formats::Node& node, system::SystemDescription& description, base::Problems& problems);
/// Bonds of connections that are there already.
void read_bonds(const formats::Node& node, system::SystemDescription& description, base::Problems& problems);
system::PlanRequest read_plan(const formats::Node& node, base::Problems& problems);
/// TIME | auto | {auto: {target: …, around: …}}
void read_step(const system::Value& value, std::string_view what, system::PlanRequest& plan, base::Problems& problems);

/// Names of the designs in a system file, in its order.
std::vector<std::string> design_names(const formats::Node& root);

/// The file with one of its designs applied: maps merge, null removes, a connection replaces those with the same sink
/// or the same bond ({to: SINK, from: null} removes one). The file as it is, with a problem, if there is no such
/// design.
std::shared_ptr<const formats::Node> with_design(const std::shared_ptr<const formats::Node>& root,
                                                 const std::string& name, base::Problems& problems);

}  // namespace seam::load
