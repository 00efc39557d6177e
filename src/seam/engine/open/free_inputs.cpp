
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "seam/base/names.hpp"
#include "seam/engine/open/completion.hpp"
#include "seam/load/assemble.hpp"
#include "seam/load/reach.hpp"
#include "seam/system/resolve.hpp"

namespace seam::engine {
namespace {

namespace fs = std::filesystem;
using system::Subsystem;
using system::SystemDescription;

/// The port that a path names, or null.
const system::Port* find_input(const SystemDescription& description, const std::string& path) {
  const int index = system::find_subsystem(description, path);
  if (index < 0) return nullptr;
  const Subsystem& subsystem = description.subsystems[static_cast<std::size_t>(index)];
  const std::string port = path.substr(subsystem.name.size() + 1);
  const auto found = std::ranges::find(subsystem.inputs, port, &system::Port::name);
  return found == subsystem.inputs.end() ? nullptr : &*found;
}

system::Setting text_setting(const std::string& name, const std::string& text, const base::Location& where) {
  system::Setting setting;
  setting.name = name;
  setting.value.kind = system::Value::Kind::text;
  setting.value.text = text;
  setting.where = setting.value.where = where;
  return setting;
}

/// One that is linear between the rows, and one that keeps the value of the last row for inputs that are not
/// continuous.
std::vector<Subsystem> table_sources(const SystemDescription& description, base::Problems& problems) {
  const system::FreeInputs& inputs = description.experiment.inputs;
  Subsystem source;
  source.name = "input-file";
  source.origin = system::BuiltInModel{"csv", inputs.where};
  source.where = inputs.where;
  source.set.push_back(text_setting("file", inputs.file, source.where));
  source.set.push_back(text_setting("interpolate", "linear", source.where));
  SystemDescription alone;
  alone.folder = description.folder;
  alone.opened_folders = description.opened_folders;
  alone.subsystems.push_back(std::move(source));
  load::describe(alone, problems);
  std::vector<Subsystem> sources(2, alone.subsystems.front());
  sources[1].name = "input-file-held";
  sources[1].set.back() = text_setting("interpolate", "hold", inputs.where);
  return sources;
}

system::Connection straight(const std::string& to, const base::Location& where) {
  system::Connection connection;
  connection.to = {to, -1, -1, where};
  connection.where = where;
  return connection;
}

/// From a column of the table to the inputs it feeds; empty if it feeds none.
std::vector<system::Connection> ways_of(const system::Port& column, const SystemDescription& description,
                                        const base::Location& where) {
  if (find_input(description, column.name)) return {straight(column.name, where)};
  std::vector<system::Connection> ways = ways_from(column.name, description);
  for (system::Connection& way : ways) {
    // The unit that the column has is the one that counts; a chain of transformations begins with that of the
    // connector.
    if (!column.unit.empty() && way.units == system::UnitConversion::automatic) way.from_unit.clear();
    way.where = way.to.where = where;
  }
  const bool only_fmus = !description.where.source;
  if (!ways.empty() || !only_fmus) return ways;
  const std::string of_first = description.subsystems.front().name + "." + column.name;
  if (find_input(description, of_first)) ways.push_back(straight(of_first, where));
  return ways;
}

void unknown_column(const std::string& column, const SystemDescription& description, const base::Location& where,
                    base::Problems& problems) {
  std::vector<std::string> names;
  for (const Subsystem& subsystem : description.subsystems) {
    for (const system::Port& port : subsystem.inputs) names.push_back(subsystem.name + "." + port.name);
  }
  for (const system::PortAlias& alias : description.aliases) {
    for (const system::Connection& way : alias.ways) names.push_back(way.from.text);
  }
  problems.add(where, fmt::format("the column \"{}\" names no input", column), base::did_you_mean(column, names));
}

}  // namespace

void take_input_file(const std::string& file, SystemDescription& description) {
  system::FreeInputs& inputs = description.experiment.inputs;
  inputs.where = {std::make_shared<base::Source>(base::Source{"--input-file", {file}}), 1, 1,
                  static_cast<int>(file.size())};
  std::error_code error;
  const fs::path path = fs::absolute(file, error);
  const fs::path below = path.lexically_normal().lexically_relative(
      fs::absolute(description.folder.empty() ? "." : description.folder, error).lexically_normal());
  const bool inside = !below.empty() && load::stays_below(below.string());
  inputs.file = inside ? below.string() : path.string();
  description.opened_folders.push_back(path.parent_path().string());  // the user named it, so it may be read
}

void set_free_inputs(SystemDescription& description) {
  system::FreeInputs& inputs = description.experiment.inputs;
  if (inputs.values.empty()) return;
  system::Event event;
  event.kind = system::EventKind::set;
  event.from = event.to = description.experiment.start;
  event.targets = std::move(inputs.values);
  event.where = inputs.where;
  inputs.values.clear();
  auto& events = description.experiment.events;
  events.insert(events.begin(), std::move(event));  // other events at the start come later, and win
}

void feed_free_inputs(SystemDescription& description, base::Problems& problems) {
  system::FreeInputs& inputs = description.experiment.inputs;
  if (inputs.file.empty() || description.subsystems.empty()) return;
  const std::vector<Subsystem> sources = table_sources(description, problems);
  std::vector<system::Connection> connections[2];
  for (const system::Port& column : sources.front().outputs) {
    std::vector<system::Connection> ways = ways_of(column, description, inputs.where);
    if (ways.empty()) unknown_column(column.name, description, inputs.where, problems);
    for (system::Connection& way : ways) {
      const system::Port* const input = find_input(description, way.to.text);
      const std::size_t held = input && input->variability != system::Variability::continuous ? 1 : 0;
      way.from = {sources[held].name + "." + column.name, -1, -1, inputs.where};
      connections[held].push_back(std::move(way));
    }
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (connections[i].empty()) continue;
    description.subsystems.push_back(sources[i]);
    description.connections.insert(description.connections.end(), connections[i].begin(), connections[i].end());
  }
  inputs = {};
}

}  // namespace seam::engine
