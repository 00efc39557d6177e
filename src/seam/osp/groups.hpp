// Variables of a simulator that belong together, as the file beside its FMU says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"

namespace seam::osp {

struct VariableGroup {
  std::string kind;  ///< Force, LinearMechanicalPort, Generic …
  std::string name;
  std::vector<std::string> variables;
  std::vector<VariableGroup> groups;
};

/// Where the file may lie: beside the FMU, inside it, or beside the system.
struct GroupPlaces {
  std::string fmu, model_name, folder;
};

/// None, with a problem at `where`, if there is no such file or it cannot be read.
std::optional<std::vector<VariableGroup>> read_groups(const GroupPlaces& places, const base::Location& where,
                                                      base::Problems& problems);

/// Outer groups first; null if there is none of this name.
const VariableGroup* find_group(const std::vector<VariableGroup>& groups, const std::string& name);

/// The names of all groups, for messages.
std::vector<std::string> group_names(const std::vector<VariableGroup>& groups);

}  // namespace seam::osp
