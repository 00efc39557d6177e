// The components of all levels as subsystems side by side, with what a package carries for seam alone.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "seam/fmi/archive/archive.hpp"
#include "seam/load/plan_file.hpp"
#include "seam/ssp/package.hpp"
#include "seam/ssp/ssd.hpp"
#include "seam/system/description.hpp"

namespace seam::ssp {

inline constexpr const char* plan_name = "extra/org.seam-cosim/plan.yaml";
inline constexpr const char* subsystems_name = "extra/org.seam-cosim/subsystems.yaml";

/// By name; with everything but the FMU.
using EmbeddedSubsystems = std::map<std::string, system::Subsystem>;

load::PlanSections read_embedded_plan(const Package& package, base::Problems& problems);
/// Paths in it are relative to `folder`.
EmbeddedSubsystems read_embedded_subsystems(const Package& package, const std::string& folder,
                                            base::Problems& problems);

/// A component that became a subsystem.
struct Leaf {
  int subsystem = -1;
  std::shared_ptr<const fmi::Fmu> fmu;  ///< null: a built-in model
};

struct Flat {
  system::SystemDescription description;
  std::map<const Element*, Leaf> leaves;
  std::map<const Element*, std::string> paths;  ///< of every element, as users name it; empty for the root

  const Leaf* leaf(const Element* element) const {
    const auto found = leaves.find(element);
    return found == leaves.end() ? nullptr : &found->second;
  }
};

/// Names are the names of the elements on the way with dots between them; characters that a name of ours cannot have
/// become `_`. A component without a source is left out unless the package says what it is to us.
Flat flatten(const Description& description, const EmbeddedSubsystems& embedded, base::Problems& problems);

}  // namespace seam::ssp
