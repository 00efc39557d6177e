#include "seam/load/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/error.hpp"
#include "seam/load/system_values.hpp"

namespace seam::load {
namespace {

using formats::Node;
using system::Subsystem;

/// Another file with a system; the engine, which knows all formats, puts it in this place.
void read_system(const Node& map, const Reach& reach, Subsystem& subsystem, base::Problems& problems) {
  const Node& path = *map.find("system");
  system::SystemFile file{read_text(path, "system", problems).value_or(""), path.where};
  if (!file.path.empty() && !may_be_read(file.path, {reach.folder, reach.opened}, path.where, problems)) {
    problems.add(path.where, fmt::format("the path \"{}\" leads out of the folder of the system file", file.path),
                 fmt::format("put it beside the system file or into a folder below it; {}", how_to_reach));
    file.path.clear();
  }
  subsystem.origin = std::move(file);
}

Kind system_kind() {
  Kind kind{"system", "a whole system", "whole systems"};
  kind.read = read_system;
  kind.describe = [](system::SystemDescription& description, std::size_t number, ModelCache&,
                     base::Problems& problems) {
    problems.add(description.subsystems[number].system()->where, "only a system file may have whole systems inside");
  };
  return kind;
}

std::vector<Kind>& all_kinds() {
  static std::vector<Kind> all{model_kind(), fmu_kind(), system_kind()};
  return all;
}

void read_added(const std::string& key, const Node& map, Subsystem& subsystem, base::Problems& problems) {
  const Node& content = *map.find(key);
  subsystem.origin = system::AddedKind{key, read_value(content, problems), content.where};
}

}  // namespace

const std::vector<Kind>& kinds() { return all_kinds(); }

void add_kind(Kind kind) {
  for (const Kind& known : kinds()) {
    if (known.key == kind.key)
      throw base::Error(base::Failure::internal, fmt::format("there is a kind \"{}\" already", kind.key));
  }
  if (!kind.read) {
    kind.read = [key = kind.key](const Node& map, const Reach&, Subsystem& subsystem, base::Problems& problems) {
      read_added(key, map, subsystem, problems);
    };
  }
  all_kinds().push_back(std::move(kind));
}

const Kind* kind_of(const Subsystem& subsystem) {
  const auto& all = kinds();
  if (subsystem.model()) return &all[0];
  if (subsystem.fmu()) return &all[1];
  if (subsystem.system()) return &all[2];
  const auto* const added = std::get_if<system::AddedKind>(&subsystem.origin);
  const auto found = std::ranges::find_if(all, [&](const Kind& kind) { return added && kind.key == added->key; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace seam::load
