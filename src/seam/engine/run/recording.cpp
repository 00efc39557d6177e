#include "seam/engine/run/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "seam/base/error.hpp"
#include "seam/engine/run/micro_recording.hpp"
#include "seam/engine/run/selection.hpp"

namespace seam::engine {
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

std::vector<stepping::Column> select_columns(const System& system, const coupling::Program& program) {
  base::Problems problems;
  const std::vector<Selection> selections = select(system.description, *program.assembly, problems);
  base::require_none(problems);
  using stepping::Direction;
  std::vector<stepping::Column> columns;
  for (const Selection& selection : selections) {
    for (const int port : selection.outputs)
      columns.push_back(stepping::column_of(program, Direction::output, selection.member, port));
    for (const int port : selection.inputs)
      columns.push_back(stepping::column_of(program, Direction::input, selection.member, port));
    if (!selection.variables.empty())
      std::ranges::move(stepping::observed_columns(program, selection.member), std::back_inserter(columns));
  }
  stepping::put_reals_first(columns);
  return columns;
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
