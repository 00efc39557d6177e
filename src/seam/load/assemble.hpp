// From a description to subsystems that can be stepped.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "seam/assembly/assembly.hpp"
#include "seam/assembly/thread_team.hpp"
#include "seam/base/problem.hpp"
#include "seam/fmi/instance/instance.hpp"
#include "seam/load/model_catalog.hpp"
#include "seam/system/plan.hpp"

namespace seam::load {

/// Fills in what only the models know: ports, which subsystems are signals known ahead of time, the solver where none
/// was given. Models that are on the cache are not made, and those that are made are put there.
void describe(system::SystemDescription& description, base::Problems& problems, ModelCache* cache = nullptr);

/// What a run wants of its FMUs beyond the description.
struct FmuOptions {
  fmi::Logging logging;
  enum class Stop {
    announced,  ///< they may refuse to go further than the experiment
    open        ///< the run will be continued from its end
  } stop = Stop::announced;
  enum class Inputs {
    fed,  ///< those that something feeds are set, the others keep what the FMU has
    all   ///< unconnected continuous real ones are set too, to their start values at first
  } inputs = Inputs::fed;
  /// What takes the place of a subsystem, by its number; empty or null: the subsystem itself.
  std::function<std::unique_ptr<assembly::Subsystem>(int subsystem)> in_its_place = {};
  /// Threads that they live on, one a subsystem; without a team all live on that of the caller.
  struct Homes {
    const assembly::ThreadTeam* team = nullptr;
    std::vector<int> thread_of_subsystem = {};
  } homes = {};
  ModelCache* cache = nullptr;  ///< with models of our own that were made before; null: none
};

/// The live system; the description is described, resolved and free of problems.
std::optional<assembly::Assembly> assemble(const system::SystemDescription& description, const system::Plan& plan,
                                           const FmuOptions& options, base::Problems& problems);

}  // namespace seam::load
