#include "seam/engine/open/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "seam/analysis/complete_compensators.hpp"
#include "seam/coupling/compile.hpp"
#include "seam/coupling/complete_plan.hpp"
#include "seam/engine/open/completion.hpp"
#include "seam/engine/open/opener.hpp"
#include "seam/engine/predict/auto_plan.hpp"
#include "seam/engine/predict/linear_models.hpp"
#include "seam/engine/run/micro_recording.hpp"
#include "seam/engine/run/selection.hpp"
#include "seam/fmi/archive/platform.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/load/assemble.hpp"
#include "seam/load/events.hpp"
#include "seam/load/opened_fmus.hpp"
#include "seam/load/overrides.hpp"
#include "seam/load/system_file.hpp"
#include "seam/osp/read_system.hpp"
#include "seam/ssp/read_system.hpp"
#include "seam/system/bonds.hpp"
#include "seam/system/resolve.hpp"
#include "seam/system/timetable.hpp"
#include "seam/system/validate.hpp"

namespace seam::engine {
namespace {

/// The file as the user can find it: inside its package, not where that was unpacked.
std::string shown_path(const system::FmuFile& file) {
  const std::string name = file.where.source ? file.where.source->name : "";
  const std::size_t inside = name.rfind(".ssp/");
  return inside == std::string::npos ? file.path : name.substr(0, inside + 5) + file.written;
}

/// How a problem at this place calls the file: the place may be the file itself.
std::string called(const system::FmuFile& file) {
  const bool is_place = file.where.source && file.where.source->name == file.path;
  return is_place ? std::string("the FMU") : shown_path(file);
}

/// One subsystem a file.
std::vector<const system::Subsystem*> first_of_each_fmu(const system::SystemDescription& description) {
  std::set<std::string> seen;
  std::vector<const system::Subsystem*> first;
  for (const system::Subsystem& subsystem : description.subsystems) {
    if (subsystem.fmu() && seen.insert(subsystem.fmu()->path).second) first.push_back(&subsystem);
  }
  return first;
}

/// What the FMUs' descriptions do against the standard: one line a tool, whose habit it is, or problems.
void look_at_fmu_descriptions(Changes::FmuDescriptions wanted, system::SystemDescription& description,
                              base::Problems& problems) {
  struct Habit {
    std::size_t problems = 0;
    std::vector<std::string> subsystems;
    std::string path;  ///< of the first
  };
  std::map<std::string, Habit> by_tool;
  for (const system::Subsystem* const subsystem : first_of_each_fmu(description)) {
    const auto fmu = load::fmu_of(*subsystem);
    if (!fmu) continue;
    const std::string path = shown_path(*subsystem->fmu());
    const auto found = fmi::description_problems(*fmu);
    if (found.empty()) continue;
    if (wanted == Changes::FmuDescriptions::lenient) {
      Habit& habit = by_tool[fmu->description.generation_tool];
      if (habit.subsystems.empty()) habit.path = path;
      habit.problems += found.size();
      habit.subsystems.push_back(subsystem->name);
      continue;
    }
    for (const fmi::DescriptionProblem& problem : found) {
      if (problem.grade == fmi::DescriptionProblem::Grade::error)
        problems.add(subsystem->fmu()->where,
                     fmt::format("the description of {} is wrong (line {}): {}", path, problem.line, problem.what),
                     "without --strict the run works around it");
    }
  }
  for (const auto& [tool, habit] : by_tool) {
    const std::string count = fmt::format("{} description problem{}", habit.problems, habit.problems == 1 ? "" : "s");
    const std::string who = habit.subsystems.size() == 1
                                ? habit.subsystems.front()
                                : fmt::format("{} FMUs of {}", habit.subsystems.size(),
                                              tool.empty() ? "an unknown tool" : formats::printable(tool, 60));
    description.notices.push_back(fmt::format("{}: {}, see seam check {}", who, count, habit.path));
  }
}

/// Said before anything is loaded, once a file.
void check_libraries(const system::SystemDescription& description, base::Problems& problems) {
  const fmi::Machine machine = fmi::this_machine();
  for (const system::Subsystem* const subsystem : first_of_each_fmu(description)) {
    const auto fmu = load::fmu_of(*subsystem);
    const auto is_here = [&](const std::string& platform) {
      return platform == machine.fmi2 || platform == machine.fmi3;
    };
    if (!fmu || std::ranges::any_of(fmu->platforms, is_here)) continue;
    problems.add(
        subsystem->fmu()->where,
        fmt::format("{} has no library for {}; it has {}", called(*subsystem->fmu()), machine.shown,
                    fmu->platforms.empty() ? "no binaries at all" : fmt::format("{}", fmt::join(fmu->platforms, ", "))),
        fmu->can_be_built() ? "`seam build` compiles its sources into a new FMU"
                            : "ask its supplier for a binary of this platform");
  }
}

/// A run of one step, which is hardly meant.
void say_long_step(System& system) {
  const system::Experiment& experiment = system.description.experiment;
  if (!experiment.stop || !(system.plan.step > *experiment.stop - experiment.start)) return;
  system.description.notices.push_back(
      fmt::format("the macro step of {} s is longer than the run of {} s, which is made in one shorter step",
                  system.plan.step, *experiment.stop - experiment.start));
}

/// Tables that a file which the user named himself names elsewhere may be read.
void open_named_tables(system::SystemDescription& description, base::Problems& problems) {
  const auto open = [&](const std::string& file, const base::Location& where) {
    const load::Reach reach{description.folder, description.opened_folders, load::Elsewhere::read};
    if (!load::stays_below(file) && load::may_be_read(file, reach, where, problems))
      description.opened_folders.push_back((std::filesystem::path(description.folder) / file).string());
  };
  for (const system::Subsystem& subsystem : description.subsystems) {
    for (const system::Setting& setting : subsystem.set) {
      if (subsystem.model() && setting.name == "file" && setting.value.kind == system::Value::Kind::text)
        open(setting.value.text, setting.where);
    }
  }
  const system::FreeInputs& inputs = description.experiment.inputs;
  if (!inputs.file.empty()) open(inputs.file, inputs.where);
}

bool may_choose(const system::SystemDescription& description, Changes::Autos autos) {
  if (autos != Changes::Autos::without_fmus) return autos == Changes::Autos::chosen;
  return !system::has_fmus(description);
}

load::PlanSections plan_sections(const Changes& changes, base::Problems& problems) {
  return changes.plan_file.empty() ? load::PlanSections{} : load::read_plan_file(changes.plan_file, problems);
}

}  // namespace

base::Strictness strictness(const Changes& changes) {
  return changes.fmu_descriptions == Changes::FmuDescriptions::strict ? base::Strictness::strict
                                                                      : base::Strictness::lenient;
}

std::optional<system::SystemDescription> read_description(const std::string& path, const Changes& changes,
                                                          base::Problems& problems) {
  load::PlanSections plan = plan_sections(changes, problems);
  if (!ssp::names_a_package(path)) {
    if (!changes.ssd.empty()) problems.add({}, "--ssd is for packages (.ssp)");
    if (osp::names_a_structure(path)) {
      if (!changes.design.empty()) problems.add({}, "--design is for system files");
      return osp::read_system(path, plan, {{}, changes.opened_folders, load::Elsewhere::read}, problems);
    }
    auto description =
        load::read_system_file(path, problems, {plan, changes.design, changes.opened_folders, load::Elsewhere::read});
    if (!description) return description;
    open_named_tables(*description, problems);
    put_systems_in_place(path, *description, problems);
    return description;
  }
  if (!changes.design.empty())
    problems.add({}, "--design is for system files; the designs of a package are its descriptions",
                 "choose one with --ssd");
  ssp::ReadOptions options;
  options.ssd = changes.ssd;
  options.plan = std::move(plan);
  options.opened_folders = changes.opened_folders;
  options.elsewhere = load::Elsewhere::read;
  if (changes.embedded_plan == Changes::EmbeddedPlan::ignored)
    options.embedded_plan = ssp::ReadOptions::EmbeddedPlan::ignored;
  return ssp::read_system(path, options, problems);
}

void change_settings(const std::vector<system::Setting>& set, system::SystemDescription& description,
                     base::Problems& problems) {
  for (const system::Setting& change : set) {
    for (const std::string& path : without_aliases(change, description, problems))
      load::apply_override(description, {path, change.value, change.where}, problems);
  }
}

void describe(const Changes& changes, system::SystemDescription& description, base::Problems& problems,
              load::ModelCache* cache) {
  load::describe(description, problems, cache);
  set_free_inputs(description);
  replace_aliases(description, problems);
  feed_free_inputs(description, problems);
  look_at_fmu_descriptions(changes.fmu_descriptions, description, problems);
  system::resolve_paths(description, problems);
  system::resolve_bonds(description, problems);
  load::resolve_events(description, problems);
}

System planned(system::SystemDescription description, const Changes& changes, base::Problems& problems) {
  if (std::string mended = problems.mended_words(); !mended.empty())
    description.notices.insert(description.notices.begin(), std::move(mended));
  system::validate(description, problems);
  auto plan = coupling::complete_plan(description, problems);
  if (plan && plan->step > 0.0) analysis::complete_compensators(description, *plan, problems);
  const bool chooses = description.plan.has_auto() && may_choose(description, changes.autos);
  const auto check_events = [&problems](const system::SystemDescription& all, double step) {
    if (step > 0.0) system::check_events(all, {all.experiment.start, step}, problems);
  };
  if (plan && !chooses) check_events(description, plan->step);
  base::require_none(problems);
  System system{std::move(description), std::move(*plan)};
  if (!chooses) {
    say_long_step(system);
    return system;
  }
  choose_autos(system);
  say_long_step(system);
  check_events(system.description, system.plan.step);
  base::require_none(problems);
  return system;
}

System completed(system::SystemDescription description, const Changes& changes, base::Problems& problems) {
  std::vector<system::Setting> set;
  for (const std::string& argument : changes.set) {
    if (auto change = load::read_override(argument, problems)) set.push_back(std::move(*change));
  }
  change_settings(set, description, problems);
  apply(changes, description, problems);
  describe(changes, description, problems);
  return planned(std::move(description), changes, problems);
}

System open(const std::string& path, const Changes& changes) {
  base::Problems problems(strictness(changes));
  auto description = read_description(path, changes, problems);
  if (!description) throw base::ProblemsFound(problems);
  return completed(std::move(*description), changes, problems);
}

System open_text(const std::string& text, const std::string& path, const Changes& changes) {
  base::Problems problems(strictness(changes));
  auto description = load::read_system_text(
      text, path, problems,
      {plan_sections(changes, problems), changes.design, changes.opened_folders, load::Elsewhere::read});
  if (!description) throw base::ProblemsFound(problems);
  open_named_tables(*description, problems);
  put_systems_in_place(path, *description, problems);
  return completed(std::move(*description), changes, problems);
}

namespace {

/// Patterns that choose nothing are problems of those who record.
std::vector<coupling::RecordRequest> record_requests(const system::SystemDescription& description,
                                                     const assembly::Assembly& assembly) {
  base::Problems said_later;
  std::vector<coupling::RecordRequest> requests;
  for (Selection& selection : select(description, assembly, said_later)) requests.push_back(std::move(selection));
  return requests;
}

}  // namespace

void require_libraries(const System& system) {
  base::Problems problems;
  check_libraries(system.description, problems);
  base::require_none(problems);
}

Live make_live(const System& system, const LiveOptions& options) {
  base::Problems problems;
  const system::SystemDescription& description = system.description;
  if (options.horizon == Horizon::experiment && !description.experiment.stop) {
    problems.add(description.where, "the stop time is not given",
                 "write `experiment: {stop: 10 s}` or give --stop 10s");
    throw base::ProblemsFound(problems);
  }
  system::Plan plan = system.plan;
  analysis::complete_compensators(description, plan, problems);
  base::require_none(problems);
  require_libraries(system);
  Live live;
  live.team = options.assignment.team;
  load::FmuOptions fmus = options.fmus;
  if (live.team) fmus.homes = {live.team.get(), options.assignment.thread_of_subsystem};
  auto assembly = load::assemble(description, plan, fmus, problems);
  base::require_none(problems);
  live.assembly = std::make_unique<assembly::Assembly>(std::move(*assembly));
  coupling::CompileOptions compile_options;
  compile_options.start = description.experiment.start;
  if (options.horizon == Horizon::experiment) compile_options.stop = description.experiment.stop;
  compile_options.stop_where = description.experiment.stop_where;
  compile_options.growth_limit = options.growth_limit;
  compile_options.use = options.use;
  compile_options.evaluations = options.evaluations;
  compile_options.outputs = options.outputs;
  compile_options.records = record_requests(description, *live.assembly);
  if (options.horizon == Horizon::experiment)
    compile_options.courses = system::courses_of(description, {description.experiment.start, system.plan.step});
  if (options.watching == Watching::the_coupling) {
    live.monitors = make_monitors(*live.assembly, description, plan, compile_options);
    compile_options.micro = micro_requests(description, *live.assembly, problems);
  }
  std::vector<std::string> notices;
  compile_options.models = corrector_models(system, *live.assembly, notices);
  auto program = coupling::compile(*live.assembly, plan, compile_options, problems);
  base::require_none(problems);
  live.program = std::move(*program);
  if (live.program.correction) {
    auto& said = live.program.correction->notices;
    said.insert(said.begin(), notices.begin(), notices.end());
  }
  attach(live.monitors, live.program);
  return live;
}

}  // namespace seam::engine
