#include "seam/ssp/read_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "seam/base/names.hpp"
#include "seam/load/assemble.hpp"
#include "seam/ssp/expand.hpp"
#include "seam/ssp/graph.hpp"
#include "seam/ssp/trace.hpp"

namespace seam::ssp {
namespace {

namespace fs = std::filesystem;

/// The package and which of its files is the system.
struct Opened {
  std::shared_ptr<const Package> package;
  std::string name;
};

std::optional<Opened> open(const std::string& path, const ReadOptions& options, base::Problems& problems) {
  const fs::path file(path);
  if (file.extension() == ".ssd") {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    auto package = std::make_shared<Package>(folder, file.has_parent_path() ? folder.string() : "",
                                             Package::Form::folder, options.opened_folders, options.elsewhere);
    return Opened{std::move(package), file.filename().string()};
  }
  auto package = open_package(path, path, options.opened_folders, problems);
  if (!package) return std::nullopt;
  std::string name = options.ssd.empty() ? "SystemStructure.ssd" : options.ssd;
  const std::vector<std::string> known = package->descriptions();
  const auto is_known = [&](const std::string& wanted) { return std::ranges::find(known, wanted) != known.end(); };
  if (!is_known(name) && is_known(name + ".ssd")) name += ".ssd";
  if (!is_known(name)) {
    const base::Location where{std::make_shared<base::Source>(base::Source{path, {}}), 0, 0, 1};
    problems.add(
        where, fmt::format("there is no \"{}\" in the package", name),
        known.empty() ? "is this an SSP?" : fmt::format("it has {}; --ssd NAME chooses", fmt::join(known, ", ")));
    return std::nullopt;
  }
  return Opened{std::make_shared<Package>(*package), name};
}

/// Ports and their types come from the FMUs; what is wrong with these is said when the system is completed.
system::SystemDescription described(const system::SystemDescription& description) {
  system::SystemDescription copy = description;
  base::Problems said_later;
  load::describe(copy, said_later);
  return copy;
}

void take_experiment(const Description& ssd, system::Experiment& experiment) {
  if (ssd.start) {
    experiment.start = *ssd.start;
    experiment.start_where = ssd.where;
  }
  if (ssd.stop) {
    experiment.stop = ssd.stop;
    experiment.stop_where = ssd.where;
  }
}

/// What we packed ourselves gets its paths back.
void drop_resources(system::SystemDescription& description) {
  for (system::Subsystem& subsystem : description.subsystems) {
    system::FmuFile* const fmu = subsystem.fmu();
    if (fmu && fmu->written.rfind(resources, 0) == 0) fmu->written.erase(0, std::string(resources).size());
  }
}

}  // namespace

bool names_a_package(const std::string& path) {
  std::string end = fs::path(path).extension().string();
  std::transform(end.begin(), end.end(), end.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return end == ".ssp" || end == ".ssd";
}

std::optional<system::SystemDescription> read_system(const std::string& path, const ReadOptions& options,
                                                     base::Problems& problems) {
  const auto opened = open(path, options, problems);
  if (!opened) return std::nullopt;
  const base::Location where{std::make_shared<base::Source>(base::Source{path, {}}), 0, 0, 1};
  auto ssd = read_ssd(opened->package, opened->name, where, problems);
  if (!ssd) return std::nullopt;
  if (expand(*ssd, problems) == Expansion::too_large) return std::nullopt;
  const bool ours = ssd->generation_tool.rfind(own_tool, 0) == 0 && opened->package->form() == Package::Form::archive;
  const std::string folder = opened->package->path(ours ? resources : "").string();
  Flat flat = flatten(*ssd, read_embedded_subsystems(*opened->package, folder, problems), problems);
  system::SystemDescription& description = flat.description;
  if (ours) {
    drop_resources(description);
    description.units = ssd->file->definitions.units;  // also those that no connection needs
  }
  description.name = ssd->name.empty() ? fs::path(path).stem().string() : ssd->name;
  description.description = ssd->description;
  description.folder = folder;
  auto& folders = description.opened_folders;  // which may hold tables that lie elsewhere
  folders.insert(folders.begin(), options.opened_folders.begin(), options.opened_folders.end());
  description.where = ssd->where;
  take_experiment(*ssd, description.experiment);
  const Graph graph = make_graph(ssd->system, flat, problems);
  bind(ssd->system, graph, flat, problems);
  connect(graph, described(description), flat, problems);
  load::PlanSections sections;
  if (options.embedded_plan == ReadOptions::EmbeddedPlan::used)
    sections = read_embedded_plan(*opened->package, problems);
  load::apply(load::merged(sections, options.plan), description, problems);
  if (ssd->suggested_step && !description.plan.step) {
    description.plan.step = ssd->suggested_step->step;
    description.plan.step_where = ssd->where;
    description.notices.push_back(fmt::format("the annotation of {} suggests a macro step of {} s",
                                              ssd->suggested_step->tool, ssd->suggested_step->step));
  }
  return std::move(description);
}

}  // namespace seam::ssp
