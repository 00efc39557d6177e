// From what is coupled and how, to the flat program that does it.
#pragma once

#include <optional>

#include "seam/assembly/assembly.hpp"
#include "seam/base/problem.hpp"
#include "seam/coupling/program.hpp"
#include "seam/system/plan.hpp"

namespace seam::coupling {

/// Linear equations of a member that were found before the run, over all its real ports.
struct GivenModel {
  int member = -1;
  lti::StateSpace equations;
  std::optional<lti::Vector> start = {};  ///< their state at the start; none: it is not known
};

/// What a program is for.
enum class Use {
  stepping,  ///< many steps: an affine program gets its map
  probing    ///< a few: the map would cost more than it saves
};

/// Between two steps.
enum class Evaluations {
  of_the_plan,       ///< of outputs that are sent fresh
  wherever_possible  ///< of all outputs, by the caller
};

/// Outputs that steps write, where a subsystem reads them on request.
enum class Outputs {
  all,
  wanted  ///< those that are sent, watched or recorded at micro steps; what is recorded is read when it is
};

struct CompileOptions {
  double start = 0.0;
  std::optional<double> stop;  ///< none: the program has no end (analysis)
  base::Location stop_where;
  double growth_limit = 1e30;
  std::vector<system::Course> courses = {};  ///< events of the experiment
  std::vector<WatchRequest> watches = {};    ///< for monitors that are attached to the program
  std::vector<MicroRequest> micro = {};      ///< to be recorded at micro steps, one a member
  std::vector<RecordRequest> records = {};   ///< to be recorded at communication points, one a member
  std::vector<GivenModel> models = {};       ///< for a corrector, where it does not ask the subsystems themselves
  Use use = Use::stepping;
  Evaluations evaluations = Evaluations::of_the_plan;
  Outputs outputs = Outputs::all;

  /// Null: none was found before.
  const GivenModel* model_of(int member) const;
};

/// The program refers to the assembly's subsystems and prepares them; the plan must be complete.
std::optional<Program> compile(assembly::Assembly& assembly, const system::Plan& plan, const CompileOptions& options,
                               base::Problems& problems);

}  // namespace seam::coupling
