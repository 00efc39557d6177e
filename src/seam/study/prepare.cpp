#include "seam/study/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "seam/base/names.hpp"
#include "seam/engine/open/opener.hpp"
#include "seam/engine/run/recording.hpp"
#include "seam/formats/sha256.hpp"

namespace seam::study {
namespace {

constexpr double most_points = 1e7;

/// The first point that can be opened, and the system it is.
std::pair<std::size_t, engine::System> first_that_opens(const Study& study, std::size_t points,
                                                        engine::Opener& opener) {
  constexpr std::size_t most_tried = 200;
  base::Problems first;
  for (std::size_t number = 0; number < std::min(points, most_tried); ++number) {
    try {
      opener.set(changes_of(study, point_of(study, number)));
      return {number, opener.open(study.methods.front().coupling)};
    } catch (const base::ProblemsFound& found) {
      if (number == 0) first = found.problems();
    }
  }
  throw base::ProblemsFound(first);
}

/// Of the point that the opener is set to.
void check_methods(const Study& study, std::size_t number, engine::Opener& opener, base::Problems& problems) {
  const auto check = [&](const engine::CouplingChanges& coupling) {
    try {
      opener.open(coupling);
    } catch (const base::ProblemsFound& found) {
      problems.append(found.problems());
    }
  };
  for (const Method& method : study.methods) check(method.coupling);
  if (!study.wants_reference()) return;
  opener.set(reference_changes_of(study, point_of(study, number)));
  check({});
}

void check_summary(const Study& study, const Sheet& sheet, base::Problems& problems) {
  for (const Threshold& threshold : study.summary.over) {
    if (sheet.metric(threshold.column) == sheet.metrics.size())
      problems.add(threshold.where, fmt::format("\"{}\" is not measured", threshold.column),
                   base::did_you_mean(threshold.column, sheet.metrics));
  }
  for (const Sensitivity& wanted : study.sensitivities) {
    if (sheet.metric(wanted.column) == sheet.metrics.size())
      problems.add(wanted.where, fmt::format("\"{}\" is not measured", wanted.column),
                   base::did_you_mean(wanted.column, sheet.metrics));
  }
  if (!study.summary.by) return;
  const std::vector<std::string> paths = varied_paths(study);
  for (std::size_t i = 0; i < study.summary.by->size(); ++i) {
    const std::string& path = (*study.summary.by)[i];
    if (std::ranges::find(paths, path) == paths.end())
      problems.add(study.summary.by_where[i], fmt::format("\"{}\" does not vary", path),
                   base::did_you_mean(path, paths));
  }
}

void check_names(const Study& study, base::Problems& problems) {
  for (const std::string& name : unused_names(study)) {
    base::Location where = study.where;
    for (const Axis& axis : study.axes) {
      if (std::ranges::find(axis.paths, name) != axis.paths.end()) where = axis.where;
    }
    for (const Draw& draw : study.draws) {
      if (draw.path == name) where = draw.where;
    }
    for (const Assignment& assignment : study.assignments) {
      if (assignment.path == name) where = assignment.where;
    }
    problems.add(
        where, fmt::format("\"{}\" changes nothing", name),
        "a path has a dot (subsystem.parameter, plan.step); a name without one is for {expressions} under set");
  }
}

/// One after the other on each axis, so that the files of every design are among them.
void add_files(const Study& study, const engine::System& opened, std::map<std::string, std::string>& files) {
  const auto add = [&](const engine::System& system) {
    for (const std::string& file : engine::input_files(system)) {
      if (!files.contains(file) && std::filesystem::is_regular_file(file)) files[file] = formats::sha256_of_file(file);
    }
  };
  add(opened);
  for (const OwnMetric& metric : study.own_metrics) {
    const std::string& file = metric.measured.file;
    if (!file.empty() && !files.contains(file)) files[file] = formats::sha256_of_file(file);
  }
  for (const Axis& axis : study.axes) {
    const auto design = std::ranges::find(axis.paths, "design");
    if (design == axis.paths.end()) continue;
    for (const auto& values : axis.values) {
      try {
        engine::Changes changes;
        changes.design = values[static_cast<std::size_t>(design - axis.paths.begin())].text;
        add(engine::open(study.system, changes));
      } catch (const base::ProblemsFound&) {  // its rows will say so
      }
    }
  }
}

std::vector<stepping::Column> recorded_columns(const engine::System& system) {
  const engine::Live live = engine::make_live(system, {});
  return engine::select_columns(system, live.program);
}

std::vector<std::string> names_of(const std::vector<stepping::Column>& columns) {
  std::vector<std::string> names;
  for (const stepping::Column& column : columns) names.push_back(column.name);
  return names;
}

std::vector<std::string> compared_variables(const Study& study, const engine::System& system) {
  if (!study.wants(Metric::nrmse_range_each) && !study.wants(Metric::nrmse_deviation_each)) return {};
  return names_of(recorded_columns(system));
}

/// A metric may name those before it and what varies or is set as a plain number; one that is no expression, columns.
void check_expressions(const Study& study, base::Problems& problems) {
  std::vector<std::string> known;
  for (const auto& [name, number] : numbers_of(study, point_of(study, 0))) known.push_back(name);
  for (const OwnMetric& metric : study.own_metrics) {
    const auto has_number = [&](const std::string& name) {
      return constant(name) || std::ranges::find(known, name) != known.end();
    };
    for (const Expression::Name& name : metric.of.names()) {
      const bool has_unit = study.gives(name.text) && !has_number(name.text);
      if (!has_unit && (metric.kind != OwnMetric::Kind::expression || has_number(name.text))) continue;
      problems.add(
          metric.where, fmt::format("in \"{}\": \"{}\" has no value here", metric.of.text(), name.text),
          has_unit ? "its value is no plain number: leave its unit out" : base::did_you_mean(name.text, known));
    }
    known.push_back(metric.name);
  }
}

/// The columns that patterns choose. Throws base::ProblemsFound if one chooses none.
std::vector<stepping::Column> chosen_columns(engine::System system, const std::vector<std::string>& patterns,
                                             const std::vector<base::Location>& where) {
  if (patterns.empty()) return {};
  system.description.record.variables = patterns;
  system.description.record.variables_where = where;
  return recorded_columns(system);
}

/// A name may also choose the elements of an array, or the outputs of a subsystem.
void require_single_numbers(const std::vector<std::string>& names, const std::vector<base::Location>& where,
                            const std::vector<stepping::Column>& chosen) {
  base::Problems problems;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto column = std::ranges::find(chosen, names[i], &stepping::Column::name);
    if (column == chosen.end())
      problems.add(where[i], fmt::format("\"{}\" is not a single variable", names[i]),
                   base::did_you_mean(names[i], names_of(chosen)));
    else if (system::is_text(column->type))
      problems.add(where[i], fmt::format("\"{}\" is a text: it has no number to measure", names[i]));
  }
  base::require_none(problems);
}

/// What the cases record beside what is compared, and what of it is kept.
void find_recorded(const engine::System& system, Prepared& prepared, Study& study) {
  if (!study.wants_rows()) return;
  const bool compares = study.wants_reference() && study.compared_at != Study::ComparedAt::micro_steps;
  if (compares) study.variables = study.recorded = names_of(recorded_columns(system));
  std::vector<std::string> needed;
  std::vector<base::Location> where;
  for (const OwnMetric& metric : study.own_metrics) {
    const std::vector<std::string> columns = columns_of(metric, [&](const std::string& name) {
      const auto is_before = [&](const OwnMetric& other) { return &other < &metric && other.name == name; };
      return study.gives(name) || std::ranges::any_of(study.own_metrics, is_before);
    });
    needed.insert(needed.end(), columns.begin(), columns.end());
    where.insert(where.end(), columns.size(), metric.where);
  }
  require_single_numbers(needed, where, chosen_columns(system, needed, where));
  std::vector<stepping::Column> kept = chosen_columns(system, study.trajectories, study.trajectories_where);
  std::erase_if(kept, [](const stepping::Column& column) { return system::is_text(column.type); });
  study.trajectories = names_of(kept);
  if (!kept.empty()) prepared.trajectories.push_back({"time", "s"});
  for (const stepping::Column& column : kept) prepared.trajectories.push_back({column.name, column.unit});
  needed.insert(needed.end(), study.trajectories.begin(), study.trajectories.end());
  for (const std::string& name : needed) {
    if (std::ranges::find(study.recorded, name) == study.recorded.end()) study.recorded.push_back(name);
  }
}

/// Throws base::ProblemsFound if a pattern chooses nothing that has samples at micro steps: better now than in every
/// case.
void check_micro_patterns(const Study& study, engine::System system) {
  if (study.compared_at != Study::ComparedAt::micro_steps) return;
  system.description.record.micro = study.variables;
  system.description.record.micro_where.assign(study.variables.size(), study.where);
  engine::LiveOptions options;
  options.watching = engine::Watching::the_coupling;
  engine::make_live(system, options);
}

}  // namespace

Prepared prepare(Study study) {
  base::Problems problems;
  double points = static_cast<double>(study.samples) * static_cast<double>(variants_of_a_sample(study));
  for (const Axis& axis : study.axes) points *= static_cast<double>(axis.values.size());
  if (points > most_points)
    problems.add(study.where,
                 fmt::format("there would be {:.3g} points; at most {:.0g} are possible", points, most_points));
  base::require_none(problems);
  check_names(study, problems);
  Prepared prepared;
  prepared.points = count_points(study);
  engine::Opener opener(study.system);
  const auto [number, system] = first_that_opens(study, prepared.points, opener);
  if (!system.description.experiment.stop)
    problems.add(study.where, "the stop time is not given", "write  set: {experiment.stop: 10 s}");
  check_methods(study, number, opener, problems);
  check_expressions(study, problems);
  base::require_none(problems);
  check_micro_patterns(study, system);
  prepared.sheet = make_sheet(study, compared_variables(study, system));
  check_summary(study, prepared.sheet, problems);
  base::require_none(problems);
  find_recorded(system, prepared, study);
  std::map<std::string, std::string> files;
  add_files(study, system, files);
  if (system::has_fmus(system.description)) prepared.kind = Kind::with_fmus;
  for (const auto& [path, hash] : files) {
    if (std::filesystem::path(path).extension() == ".fmu") prepared.kind = Kind::with_fmus;
    prepared.files.emplace_back(std::filesystem::path(path).lexically_normal().filename().string(), hash);
  }
  prepared.study = std::move(study);
  return prepared;
}

Prepared prepare(const std::string& path) {
  base::Problems problems;
  auto study = read_study(path, problems);
  base::require_none(problems);
  return prepare(std::move(*study));
}

}  // namespace seam::study
