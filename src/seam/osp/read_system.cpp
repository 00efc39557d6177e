#include "seam/osp/read_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "seam/base/error.hpp"
#include "seam/base/grid.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/load/opened_fmus.hpp"
#include "seam/load/reach.hpp"
#include "seam/osp/wiring.hpp"
#include "seam/system/validate.hpp"

namespace seam::osp {
namespace {

namespace fs = std::filesystem;
using system::SystemDescription;

/// The FMU of a simulator; false after a problem.
bool read_source(const Simulator& simulator, const load::Reach& reach, system::Subsystem& subsystem,
                 base::Problems& problems) {
  if (simulator.source.empty()) return false;  // said already
  const auto reference = load::read_reference(simulator.source, reach, simulator.where, problems);
  if (!reference) return false;
  const fs::path file = fs::path(reach.folder) / reference->path;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    problems.add(simulator.where, fmt::format("there is no file \"{}\"", file.string()));
    return false;
  }
  subsystem.origin = system::FmuFile{.path = file.string(),
                                     .written = reference->path,
                                     .where = simulator.where,
                                     .interface = system::FmuInterface::co_simulation,  // the format knows nothing else
                                     .interface_where = simulator.where};
  return true;
}

Parts add_simulators(const Structure& structure, const load::Reach& reach, SystemDescription& description,
                     base::Problems& problems) {
  Parts parts;
  for (const Simulator& simulator : structure.simulators) {
    system::Subsystem subsystem;
    subsystem.name = system::legal_path(simulator.name);
    subsystem.where = simulator.where;
    subsystem.set = simulator.initial_values;
    if (subsystem.name != simulator.name && !simulator.name.empty())
      description.notices.push_back(
          fmt::format("the simulator \"{}\" is called {} here", simulator.name, subsystem.name));
    Part part{subsystem.name, nullptr};
    if (read_source(simulator, reach, subsystem, problems)) {
      part.fmu = load::open_fmu_once(subsystem.fmu()->path, simulator.where, problems);
      description.subsystems.push_back(std::move(subsystem));
    }
    parts.emplace(simulator.name, std::move(part));
  }
  return parts;
}

/// Which subsystems take a step of a whole number of base steps instead of the one that is written.
using Rounded = std::map<std::pair<double, double>, std::vector<std::string>>;

/// A simulator's own step, which the platform rounds down to a whole number of base steps.
std::optional<double> own_step(const Simulator& simulator, const std::optional<double>& base_step, Rounded& rounded) {
  if (!simulator.step || !base_step || !(*base_step > 0.0)) return simulator.step;
  const base::Division division = base::divide(*simulator.step, *base_step);
  const base::Tick multiple = std::max<base::Tick>(1, division.whole);
  const double step = static_cast<double>(multiple) * *base_step;
  if (!division.exact || division.whole < 1)
    rounded[{step, *simulator.step}].push_back(system::legal_path(simulator.name));
  if (multiple == 1) return std::nullopt;
  return step;
}

void say_rounded(const Rounded& rounded, SystemDescription& description) {
  for (const auto& [steps, names] : rounded)
    description.notices.push_back(fmt::format("the step of {} is {} s instead of {} s, a whole number of base steps",
                                              fmt::join(names, ", "), steps.first, steps.second));
}

/// The request for a subsystem by its name; made if there is none.
system::SubsystemPlanRequest& request_for(const std::string& name, const base::Location& where,
                                          system::PlanRequest& plan) {
  for (system::SubsystemPlanRequest& request : plan.subsystems) {
    if (request.pattern == name) return request;
  }
  plan.subsystems.push_back({});
  plan.subsystems.back().pattern = name;
  plan.subsystems.back().where = where;
  return plan.subsystems.back();
}

/// The plan of the file, where neither flags nor plan files give a value.
void fill_in_plan(const Structure& structure, SystemDescription& description) {
  system::PlanRequest& plan = description.plan;
  if (!plan.step && structure.step) {
    plan.step = structure.step;
    plan.step_where = structure.step_where;
  }
  Rounded rounded;
  for (const Simulator& simulator : structure.simulators) {
    const std::string name = system::legal_path(simulator.name);
    if (std::ranges::find(description.subsystems, name, &system::Subsystem::name) == description.subsystems.end())
      continue;  // its FMU cannot be had, and that was said
    const auto step = own_step(simulator, structure.step, rounded);
    if (!step) continue;
    auto& request = request_for(name, simulator.where, plan);
    if (request.step) continue;
    request.step = step;
    request.step_where = simulator.where;
  }
  say_rounded(rounded, description);
  // Functions are computed at the communication point itself, with what has just arrived.
  for (const system::Subsystem& subsystem : description.subsystems) {
    if (!subsystem.model()) continue;
    auto& request = request_for(subsystem.name, subsystem.where, plan);
    if (request.feedthrough) continue;
    request.feedthrough = system::Feedthrough::fresh;
    request.feedthrough_where = subsystem.where;
  }
}

void take_experiment(const Structure& structure, system::Experiment& experiment) {
  if (structure.start) {
    experiment.start = *structure.start;
    experiment.start_where = structure.start_where;
  }
  if (structure.stop) {
    experiment.stop = structure.stop;
    experiment.stop_where = structure.stop_where;
  }
}

}  // namespace

bool names_a_structure(const std::string& path) {
  std::string end = fs::path(path).extension().string();
  std::transform(end.begin(), end.end(), end.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return end == ".xml";
}

std::optional<SystemDescription> read_system(const std::string& path, const load::PlanSections& plan,
                                             const load::Reach& reach, base::Problems& problems) try {
  const auto document = formats::read_xml(formats::read_text(path), path, problems);
  if (!document) return std::nullopt;
  const auto structure = read_structure(document->root(), problems);
  if (!structure) return std::nullopt;
  const fs::path file(path);
  SystemDescription description;
  description.name = file.stem().string();
  description.description = structure->description;
  description.folder = file.has_parent_path() ? file.parent_path().string() : ".";
  description.opened_folders = reach.opened;
  description.where = structure->where;
  description.notices = structure->notices;
  take_experiment(*structure, description.experiment);
  const Parts parts =
      add_simulators(*structure, {description.folder, reach.opened, reach.elsewhere}, description, problems);
  wire(*structure, parts, description, problems);
  load::apply(plan, description, problems);
  fill_in_plan(*structure, description);
  return description;
} catch (const base::Error& error) {
  problems.add(base::Location{}, error.what());
  return std::nullopt;
}

}  // namespace seam::osp
