// FMUs on the command line, without a system file.
#include <algorithm>
#include <filesystem>

#include "seam/base/names.hpp"
#include "seam/engine/open/completion.hpp"
#include "seam/engine/run/selection.hpp"
#include "seam/fmi/subsystem/observation.hpp"
#include "seam/load/assemble.hpp"
#include "seam/load/fmu_subsystem.hpp"
#include "seam/load/opened_fmus.hpp"
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
    return std::ranges::any_of(description.subsystems, [&](const Subsystem& s) { return s.name == wanted; });
  };
  if (!taken(name)) return name;
  int number = 2;
  while (taken(name + "_" + std::to_string(number))) ++number;
  return name + "_" + std::to_string(number);
}

base::Location flag(const std::string& name, const std::string& text) {
  return {std::make_shared<base::Source>(base::Source{name, {text}}), 1, 1, static_cast<int>(text.size())};
}

bool is_port(const SystemDescription& description, const std::string& path, system::PortList Subsystem::*side) {
  const int index = system::find_subsystem(description, path);
  if (index < 0) return false;
  const Subsystem& subsystem = description.subsystems[static_cast<std::size_t>(index)];
  const std::string port = path.substr(subsystem.name.size() + 1);
  const auto& ports = subsystem.*side;
  return std::ranges::any_of(ports, [&](const system::Port& p) { return p.name == port; });
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

/// Whether it has local variables, and not more than are recorded unasked.
bool records_locals(const Subsystem& subsystem) {
  const auto variables = fmi::observables_of(load::fmu_of(subsystem)->description, {});
  const auto is_local = [](const assembly::Observable& v) { return v.group == assembly::Observable::Group::local; };
  return std::ranges::any_of(variables, is_local) && has_few_locals(variables);
}

}  // namespace

System open_fmus(const FmuRequest& request, const Changes& changes) {
  base::Problems problems(strictness(changes));
  SystemDescription description;
  description.folder = ".";
  for (const std::string& file : request.files) {
    Subsystem subsystem;
    subsystem.name = name_for(file, description);
    subsystem.where = {std::make_shared<base::Source>(base::Source{file, {}}), 0, 0, 1};
    subsystem.origin = system::FmuFile{.path = file, .where = subsystem.where};
    description.subsystems.push_back(std::move(subsystem));
  }
  description.name = description.subsystems.front().name;
  const Changes meant = with_name_of_the_only(changes, description);
  for (Subsystem& subsystem : description.subsystems) load::describe_fmu(subsystem, problems);
  for (const std::string& connect : request.connect) add_connection(connect, description, problems);
  if (!problems.empty()) throw base::ProblemsFound(problems);
  if (meant.variables.empty()) {  // without a system file all ports of the FMUs are recorded
    for (const Subsystem& fmu : description.subsystems) {
      if (!fmu.outputs.empty()) description.record.variables.push_back(fmu.name + ".outputs");
      if (!fmu.inputs.empty()) description.record.variables.push_back(fmu.name + ".inputs");
      if (fmu.outputs.empty() && records_locals(fmu)) description.record.variables.push_back(fmu.name + ".locals");
    }
    description.record.variables_where.resize(description.record.variables.size());
  }
  return completed(std::move(description), meant, problems);
}

}  // namespace seam::engine
