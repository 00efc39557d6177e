// How to run, apart from what: the sections plan, experiment and record of a system file, which may stand alone in a
// plan file, there with the bonds.
#pragma once

#include <memory>
#include <string>

#include "seam/base/problem.hpp"
#include "seam/formats/yaml.hpp"
#include "seam/system/description.hpp"

namespace seam::load {

/// As written; null where there is no such section.
struct PlanSections {
  std::shared_ptr<const formats::Node> plan, experiment, record, bonds;
};

PlanSections sections_of(const formats::Node& root);

/// A file with `seam: 1` and these sections alone: it cannot alter the system. Empty after problems.
PlanSections read_plan_file(const std::string& path, base::Problems& problems);
PlanSections read_plan_text(std::string text, const std::string& source_name, base::Problems& problems);

/// Key by key of each section; those of `over` win.
PlanSections merged(const PlanSections& under, const PlanSections& over);

/// Writes what the sections say into the description; what they do not say stays.
void apply(const PlanSections& sections, system::SystemDescription& description, base::Problems& problems);

}  // namespace seam::load
