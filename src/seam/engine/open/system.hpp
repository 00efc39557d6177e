// A system read from a file, changed as asked, complete and free of problems; and the live system made from it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seam/coupling/compile.hpp"
#include "seam/engine/run/monitors.hpp"
#include "seam/load/assemble.hpp"
#include "seam/system/plan.hpp"

namespace seam::engine {

/// What a caller may change of a file; texts are as a user writes them ("1ms", "foh,samples=micro").
struct Changes {
  std::optional<std::string> start, stop, step, every, tolerance;
  std::optional<std::string> coupling;
  std::optional<std::string> corrector;
  std::optional<std::string> feedthrough;
  std::optional<std::string> schedule;      ///< jacobi, or gauss-seidel in an order chosen from the connections
  std::optional<std::string> threads;       ///< 4, auto or always:4
  std::vector<std::string> set;             ///< path=value
  std::string input_file;                   ///< a table whose columns feed inputs; empty: none
  std::vector<std::string> map;             ///< column=input, of that table
  std::string scenario;                     ///< file with events to add to those of the experiment; empty: none
  std::vector<std::string> variables;       ///< patterns; replace those of the file
  std::string plan_file;                    ///< its keys win over those of the file; empty: none
  std::string design;                       ///< of the file's designs; empty: the file as it is
  std::vector<std::string> opened_folders;  ///< where files may lie that the system names, besides its own folder
  std::string ssd;                          ///< which of the descriptions in an SSP; empty: SystemStructure.ssd
  enum class EmbeddedPlan { used, ignored } embedded_plan = EmbeddedPlan::used;  ///< of an SSP
  enum class FmuDescriptions {
    lenient,  ///< what a standard forbids is counted in a notice where a run can work around it
    strict    ///< it is a problem, in FMUs, packages, structures and paths
  } fmu_descriptions = FmuDescriptions::lenient;
  enum class Autos {
    chosen,        ///< analysis fills in what the plan leaves to it (`auto`); FMUs are probed for that
    without_fmus,  ///< only where no FMU has to be run for it
    left           ///< defaults stand in their place
  } autos = Autos::chosen;
};

/// How to couple, as values; none: as the file says.
struct CouplingChanges {
  std::optional<system::CouplingRequest> coupling = {};
  std::optional<system::MethodRequest> corrector = {};
  std::optional<system::Feedthrough> feedthrough = {};
  std::optional<system::Schedule> schedule = {};
  base::Location feedthrough_where = {}, schedule_where = {};
};

/// What may be changed of a file by values instead of texts.
struct ValueChanges {
  std::string design = {};                  ///< of the file's designs; empty: the file as it is
  std::vector<system::Setting> set = {};    ///< named by their paths; the last of one path counts
  std::vector<std::string> variables = {};  ///< patterns; replace those of the file
  CouplingChanges coupling = {};
};

struct System {
  system::SystemDescription description;
  system::Plan plan;
};

/// Reads, changes, resolves, validates and completes. Throws base::ProblemsFound with every problem there is.
System open(const std::string& path, const Changes& changes);
/// The same from a text; `path` gives the name, the folder and the places in messages.
System open_text(const std::string& text, const std::string& path, const Changes& changes);

/// Throws base::ProblemsFound if an FMU has no library for this machine: nothing else about a run matters then.
void require_libraries(const System& system);

/// FMUs without a system file.
struct FmuRequest {
  std::vector<std::string> files;    ///< each becomes a subsystem named after its file
  std::vector<std::string> connect;  ///< a.y=b.u; which is the output is found out
};
System open_fmus(const FmuRequest& request, const Changes& changes);

/// Threads, and where every subsystem lives.
struct ThreadAssignment {
  std::shared_ptr<assembly::ThreadTeam> team;  ///< null: one thread does it all
  std::vector<int> thread_of_subsystem;
};

/// The live side: subsystems and the compiled coupling. The program refers to the assembly and to the monitors.
struct Live {
  std::shared_ptr<assembly::ThreadTeam> team;  ///< some of the subsystems may live on its threads
  std::unique_ptr<assembly::Assembly> assembly;
  coupling::Program program;
  Monitors monitors;
};

enum class Horizon { experiment, none };
enum class Watching { nothing, the_coupling };

struct LiveOptions {
  Horizon horizon = Horizon::experiment;
  double growth_limit = 1e30;
  load::FmuOptions fmus = {};
  Watching watching = Watching::nothing;
  ThreadAssignment assignment = {};
  coupling::Use use = coupling::Use::stepping;
  coupling::Evaluations evaluations = coupling::Evaluations::of_the_plan;
  coupling::Outputs outputs = coupling::Outputs::all;
};

/// Throws base::ProblemsFound if the plan does not fit the subsystems or, for an experiment, no stop time is known.
Live make_live(const System& system, const LiveOptions& options);

}  // namespace seam::engine
