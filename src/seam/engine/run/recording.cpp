#include "seam/engine/run/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "seam/base/error.hpp"
#include "seam/base/names.hpp"
#include "seam/engine/run/micro_recording.hpp"

namespace seam::engine {
namespace {

using stepping::Column;

/// Binaries are recorded only if they are named.
bool is_bulky(const Column& column) { return column.type == system::PortType::binary; }

bool chosen(const std::string& pattern, const Column& column, const std::string& member) {
  if (base::matches(pattern, column.name) || base::is_element_of(column.name, pattern)) return true;
  return !is_bulky(column) && chosen_by(pattern, column.name, column.direction, member);
}

}  // namespace

bool chosen_by(const std::string& pattern, const std::string& port, stepping::Direction direction,
               const std::string& subsystem) {
  if (base::matches(pattern, port) || base::is_element_of(port, pattern)) return true;
  if (!pattern.ends_with(direction == stepping::Direction::output ? ".outputs" : ".inputs")) return false;
  return base::matches(pattern.substr(0, pattern.rfind('.')), subsystem);
}

std::vector<std::string> input_files(const System& system) {
  std::vector<std::string> files;
  if (system.description.where.source) {
    const std::string& name = system.description.where.source->name;
    const std::size_t inside = name.rfind(".ssp/");  // a description in a package
    files.push_back(inside == std::string::npos ? name : name.substr(0, inside + 4));
  }
  files.insert(files.end(), system.description.inside.begin(), system.description.inside.end());
  for (const system::Event& event : system.description.experiment.events) {  // a scenario's file is another one
    if (event.where.source) files.push_back(event.where.source->name);
  }
  for (const system::Subsystem& subsystem : system.description.subsystems) {
    if (subsystem.fmu()) files.push_back(subsystem.fmu()->path);
    for (const system::Setting& setting : subsystem.set) {
      if (setting.name == "file")
        files.push_back((std::filesystem::path(system.description.folder) / setting.value.text).string());
    }
  }
  return files;
}

base::Tick steps_a_row(const System& system) {
  if (!system.description.record.every) return 1;
  return std::max<base::Tick>(1, base::divide(*system.description.record.every, system.plan.step).whole);
}

void check_no_input(const System& system, const std::string& file) {
  for (const std::string& input : input_files(system)) {
    std::error_code unknown;
    if (!std::filesystem::equivalent(file, input, unknown) || unknown) continue;
    base::Problems problems;
    problems.add(system.description.record.file_where,
                 fmt::format("the result would replace \"{}\", which this system is read from", input),
                 "give another file with -o");
    throw base::ProblemsFound(problems);
  }
}

void cannot(const System& system, const std::string& what, const std::string& reason) {
  base::Problems problems;
  problems.add(system.description.where, what + ": " + reason);
  throw base::ProblemsFound(problems);
}

std::vector<Column> select_columns(const System& system, const coupling::Program& program) {
  const std::vector<Column> all = stepping::all_columns(program);
  const auto& patterns = system.description.record.variables;
  std::vector<Column> selected;
  if (patterns.empty()) {
    const auto is_wired = [](const Column& column) { return column.connected && !is_bulky(column); };
    if (std::ranges::none_of(all, is_wired)) return all;
    for (const Column& column : all) {
      if (is_wired(column) || column.changed_by_events) selected.push_back(column);
    }
    return selected;
  }
  const auto member_of = [&](const Column& column) -> const std::string& {
    return program.assembly->members[static_cast<std::size_t>(column.member)].name;
  };
  base::Problems problems;
  std::vector<std::string> names;
  for (const Column& column : all) names.push_back(column.name);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    bool any = false;
    for (const Column& column : all) any = any || chosen(patterns[i], column, member_of(column));
    if (!any) {
      const auto& places = system.description.record.variables_where;
      problems.add(i < places.size() ? places[i] : base::Location{}, "no variable matches \"" + patterns[i] + "\"",
                   base::did_you_mean(patterns[i], names));
    }
  }
  base::require_none(problems);
  for (const Column& column : all) {
    for (const std::string& pattern : patterns) {
      if (!chosen(pattern, column, member_of(column))) continue;
      selected.push_back(column);
      break;
    }
  }
  return selected;
}

std::string default_file(const System& system, const std::string& suffix) {
  std::string name = system.description.name;
  std::ranges::replace(name, '/', '_');  // a name is no path
  return name + suffix;
}

std::string result_file(const System& system) {
  return system.description.record.file.value_or(default_file(system, ".csv"));
}

void check_files(const System& system, const RunSettings& settings) {
  const std::string result = settings.file.empty() ? result_file(system) : settings.file;
  std::vector<std::string> read = input_files(system);
  if (!settings.initial_state.empty()) read.push_back(settings.initial_state);
  std::vector<std::pair<const char*, std::string>> written = {
      {"the result", result}, {"the final state", settings.final_state}, {"the log", settings.log_file}};
  if (!system.description.record.micro.empty()) {
    for (const system::Subsystem& subsystem : system.description.subsystems)
      written.emplace_back("the record of micro steps", micro_file(result, subsystem.name));
  }
  const auto same = [](const std::string& a, const std::string& b) {
    std::error_code unknown;
    return std::filesystem::equivalent(a, b, unknown) ||
           std::filesystem::absolute(a).lexically_normal() == std::filesystem::absolute(b).lexically_normal();
  };
  base::Problems problems;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto& [what, file] = written[i];
    if (file.empty()) continue;
    for (const std::string& input : read) {
      if (same(file, input))
        problems.add({}, fmt::format("{} would replace \"{}\", which this run reads", what, input),
                     "give another file" + std::string(i == 0 ? " with -o" : ""));
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (!written[k].second.empty() && same(file, written[k].second))
        problems.add({}, fmt::format("{} and {} cannot both be \"{}\"", written[k].first, what, file));
    }
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    if (i > 0 && !std::filesystem::is_directory(folder))
      problems.add({}, fmt::format("there is no folder for {}: \"{}\"", what, file));
  }
  base::require_none(problems);
}

}  // namespace seam::engine
