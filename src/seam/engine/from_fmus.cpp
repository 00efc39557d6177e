// FMUs on the command line, without a system file.
#include <algorithm>
#include <filesystem>

#include "seam/base/names.hpp"
#include "seam/engine/completion.hpp"
#include "seam/load/assemble.hpp"
#include "seam/load/fmu_subsystem.hpp"
#include "seam/system/resolve.hpp"
#include "seam/system/validate.hpp"

namespace seam::engine {
namespace {

using system::Subsystem;
using system::SystemDescription;

/// The file's stem made a legal name; a second FMU of the same name gets a number.
std::string name_for(const std::string& file, const SystemDescription& description) {
  std::string name = std::filesystem::path(file).stem().string();
  for (char& c : name) {
    if (!system::is_legal_name(std::string("a") + c)) c = '_';
  }
  if (!system::is_legal_name(name)) name = "fmu_" + name;
  const auto taken = [&](const std::string& wanted) {
    return std::any_of(description.subsystems.begin(), description.subsystems.end(),
                       [&](const Subsystem& s) { return s.name == wanted; });
  };
  if (!taken(name)) return name;
  int number = 2;
  while (taken(name + "_" + std::to_string(number))) ++number;
  return name + "_" + std::to_string(number);
}

base::Location flag(const std::string& name, const std::string& text) {
  return {std::make_shared<base::Source>(base::Source{name, {text}}), 1, 1, static_cast<int>(text.size())};
}

bool is_port(const SystemDescription& description, const std::string& path,
             std::vector<system::Port> Subsystem::*side) {
  const int index = system::find_subsystem(description, path);
  if (index < 0) return false;
  const Subsystem& subsystem = description.subsystems[static_cast<std::size_t>(index)];
  const std::string port = path.substr(subsystem.name.size() + 1);
  const auto& ports = subsystem.*side;
  return std::any_of(ports.begin(), ports.end(), [&](const system::Port& p) { return p.name == port; });
}

/// a.y=b.u or b.u=a.y: the side that is an output is the source.
void add_connection(const std::string& text, SystemDescription& description, base::Problems& problems) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    problems.add(flag("--connect", text), "there is no equals sign", "write --connect a.y=b.u");
    return;
  }
  std::string from = text.substr(0, equals), to = text.substr(equals + 1);
  if (is_port(description, from, &Subsystem::inputs) && is_port(description, to, &Subsystem::outputs))
    std::swap(from, to);
  system::Connection connection;
  connection.from = {from, -1, -1, flag("--connect", text)};
  connection.to = {to, -1, -1, flag("--connect", text)};
  connection.where = flag("--connect", text);
  description.connections.push_back(std::move(connection));
}

/// The port that a path names, or null.
const system::Port* find_input(const SystemDescription& description, const std::string& path) {
  const int index = system::find_subsystem(description, path);
  if (index < 0) return nullptr;
  const Subsystem& subsystem = description.subsystems[static_cast<std::size_t>(index)];
  const std::string port = path.substr(subsystem.name.size() + 1);
  const auto found = std::find_if(subsystem.inputs.begin(), subsystem.inputs.end(),
                                  [&](const system::Port& p) { return p.name == port; });
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

Subsystem csv_source(const std::string& name, const std::string& file, const std::string& interpolate) {
  Subsystem source;
  source.name = name;
  source.model = "csv";
  source.where = source.model_where = flag("--input-file", file);
  source.set.push_back(text_setting("file", std::filesystem::path(file).filename().string(), source.where));
  source.set.push_back(text_setting("interpolate", interpolate, source.where));
  return source;
}

/// A CSV file as one more subsystem whose columns feed the inputs they are named after (`port`, or `subsystem.port`).
/// Inputs that are not continuous get the last row's value, from a second one.
void add_input_file(const std::string& file, SystemDescription& description, base::Problems& problems) {
  const std::filesystem::path path(file);
  description.folder = path.has_parent_path() ? path.parent_path().string() : ".";
  const Subsystem smooth = csv_source("input-file", file, "linear"), held = csv_source("input-file-held", file, "hold");
  SystemDescription looked_at;  // only the columns are wanted now; times come when the flags are known
  looked_at.folder = description.folder;
  looked_at.subsystems.push_back(smooth);
  load::describe(looked_at, problems);
  std::vector<system::Connection> from_smooth, from_held;
  for (const system::Port& column : looked_at.subsystems.back().outputs) {
    std::string sink = column.name;
    if (!find_input(description, sink)) sink = description.subsystems.front().name + "." + column.name;
    const system::Port* input = find_input(description, sink);
    const bool jumps = input && input->variability != system::Variability::continuous;
    system::Connection connection;
    connection.from = {(jumps ? held : smooth).name + "." + column.name, -1, -1, smooth.where};
    connection.to = {sink, -1, -1, smooth.where};
    connection.where = smooth.where;
    (jumps ? from_held : from_smooth).push_back(std::move(connection));
  }
  for (const auto& [source, connections] : {std::pair{&smooth, &from_smooth}, std::pair{&held, &from_held}}) {
    if (connections->empty()) continue;
    description.subsystems.push_back(*source);
    description.connections.insert(description.connections.end(), connections->begin(), connections->end());
  }
}

/// With one FMU its own name need not be said: --set k=2, --variables y.
Changes with_name_of_the_only(Changes changes, const SystemDescription& description) {
  if (description.subsystems.size() != 1) return changes;
  const Subsystem& only = description.subsystems.front();
  const std::string prefix = only.name + ".";
  for (std::string& set : changes.set) {
    const bool other = set.starts_with(prefix) || set.starts_with("plan.") || set.starts_with("experiment.");
    if (!other) set = prefix + set;
  }
  for (std::string& pattern : changes.variables) {
    if (!pattern.starts_with(prefix) && !pattern.starts_with("*")) pattern = prefix + pattern;
  }
  return changes;
}

}  // namespace

System open_fmus(const FmuRequest& request, const Changes& changes) {
  base::Problems problems;
  SystemDescription description;
  description.folder = ".";
  for (const std::string& file : request.files) {
    Subsystem subsystem;
    subsystem.name = name_for(file, description);
    subsystem.fmu = file;
    subsystem.where = subsystem.fmu_where = {std::make_shared<base::Source>(base::Source{file, {}}), 0, 0, 1};
    description.subsystems.push_back(std::move(subsystem));
  }
  description.name = description.subsystems.front().name;
  const Changes meant = with_name_of_the_only(changes, description);
  for (Subsystem& subsystem : description.subsystems) load::describe_fmu(subsystem, problems);
  if (problems.empty() && !request.input_file.empty()) add_input_file(request.input_file, description, problems);
  for (const std::string& connect : request.connect) add_connection(connect, description, problems);
  if (!problems.empty()) throw base::ProblemsFound(problems);
  if (meant.variables.empty()) {  // whoever runs FMUs by themselves wants to see them
    for (const Subsystem& fmu : description.subsystems) {
      if (!fmu.fmu.empty() && !fmu.outputs.empty()) description.record.variables.push_back(fmu.name + ".outputs");
      if (!fmu.fmu.empty() && !fmu.inputs.empty()) description.record.variables.push_back(fmu.name + ".inputs");
    }
    description.record.variables_where.resize(description.record.variables.size());
  }
  return completed(std::move(description), meant, problems);
}

}  // namespace seam::engine
