// The kinds of subsystems that a system file may name: how each is read, described and made.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "seam/assembly/assembly.hpp"
#include "seam/formats/yaml.hpp"
#include "seam/load/assemble.hpp"
#include "seam/load/reach.hpp"
#include "seam/system/plan.hpp"

namespace seam::load {

/// A system whose subsystems are being made.
struct Surroundings {
  const system::SystemDescription& description;
  const system::Plan& plan;
  const FmuOptions& options;
  std::vector<std::shared_ptr<const models::Model>> models = {};            ///< one a subsystem, null for other kinds
  std::vector<std::vector<const system::Connection*>> connections_to = {};  ///< one list a subsystem

  const system::Subsystem& subsystem(int index) const {
    return description.subsystems[static_cast<std::size_t>(index)];
  }
  const system::SubsystemPlan& plan_of(int index) const { return plan.subsystems[static_cast<std::size_t>(index)]; }
  /// The length of its macro step, s.
  double own_step(int index) const { return plan_of(index).multiple * plan.step; }
  /// Inputs that follow a signal known ahead of time, as a solver with this step sees it.
  std::vector<assembly::Drive> drives_of(int sink, double solver_step) const;
};

struct Kind {
  std::string key;                     ///< `key: …` below the name of a subsystem makes it one of this kind
  std::string one, many;               ///< "an FMU", "FMUs"
  std::vector<std::string> keys = {};  ///< further keys that only this kind has
  /// Sets the origin from the map below the name. None: what stands behind the key becomes a system::AddedKind.
  std::function<void(const formats::Node& map, const Reach& reach, system::Subsystem& subsystem,
                     base::Problems& problems)>
      read = {};
  /// Fills in the ports and what else the file does not say.
  std::function<void(system::SystemDescription& description, std::size_t number, ModelCache& cache,
                     base::Problems& problems)>
      describe = {};
  /// Fills in the live subsystem of a member that has its name and ports.
  std::function<void(const Surroundings& around, int index, assembly::Member& member, base::Problems& problems)> make =
      {};
};

/// Built-in models, FMUs, whole systems, and what was added.
const std::vector<Kind>& kinds();
/// Its key must be new. To be called before systems are opened, by one thread.
void add_kind(Kind kind);

/// Null: the file does not say what it is.
const Kind* kind_of(const system::Subsystem& subsystem);

// The first two, one source file each.
Kind model_kind();
Kind fmu_kind();

}  // namespace seam::load
