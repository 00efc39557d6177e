#include "seam/report/system_report.hpp"

#include <fmt/format.h>

namespace seam::report {
namespace {

using formats::Value;
using system::Subsystem;

std::string origin(const base::Location& where) {
  if (!where.source) return "";
  return where.line > 0 ? fmt::format("{}:{}", where.source->name, where.line) : where.source->name;
}

std::string value_text(const system::Value& value) {
  switch (value.kind) {
    case system::Value::Kind::list: {
      std::string items;
      for (const system::Value& item : value.items) items += (items.empty() ? "" : ", ") + value_text(item);
      return "[" + items + "]";
    }
    case system::Value::Kind::map: {
      std::string entries;
      for (const auto& [name, entry] : value.entries)
        entries += (entries.empty() ? "" : ", ") + name + ": " + value_text(entry);
      return "{" + entries + "}";
    }
    default:
      return value.text;
  }
}

std::string what_it_is(const Subsystem& subsystem) {
  if (subsystem.fmu.empty()) return "model " + subsystem.model;
  return subsystem.fmu_written.empty() ? subsystem.fmu : subsystem.fmu_written;
}

}  // namespace

std::string system_text(const engine::System& system) {
  const system::SystemDescription& d = system.description;
  std::string text = fmt::format("{}: {} subsystems, {} connections, macro step {} s\n", d.name, d.subsystems.size(),
                                 d.connections.size(), system.plan.step);
  if (!d.description.empty()) text += "  " + d.description + "\n";
  for (const Subsystem& subsystem : d.subsystems) {
    text += fmt::format("  {}  ({}; {} inputs, {} outputs)\n", subsystem.name, what_it_is(subsystem),
                        subsystem.inputs.size(), subsystem.outputs.size());
    for (const system::Setting& setting : subsystem.set)
      text += fmt::format("    {} = {}  # {}\n", setting.name, value_text(setting.value), origin(setting.where));
  }
  if (!d.connections.empty()) text += "connections\n";
  for (const system::Connection& c : d.connections) {
    text += fmt::format("  {} -> {}", c.from.text, c.to.text);
    if (c.gain != 1.0 || c.offset != 0.0) text += fmt::format("  (times {} plus {})", c.gain, c.offset);
    text += "\n";
  }
  if (!d.aliases.empty()) text += "other names\n";
  for (const system::PortAlias& alias : d.aliases)
    text += fmt::format("  {} = {}\n", alias.name, fmt::join(alias.ports, ", "));
  return text;
}

Value system_value(const engine::System& system) {
  const system::SystemDescription& d = system.description;
  Value subsystems = Value::array(), connections = Value::array(), aliases = Value::object();
  for (const Subsystem& subsystem : d.subsystems) {
    Value parameters = Value::array();
    for (const system::Setting& setting : subsystem.set) {
      parameters.push(Value::object(
          {{"name", setting.name}, {"value", value_text(setting.value)}, {"from", origin(setting.where)}}));
    }
    Value ports_in = Value::array(), ports_out = Value::array();
    for (const system::Port& port : subsystem.inputs) ports_in.push(port.name);
    for (const system::Port& port : subsystem.outputs) ports_out.push(port.name);
    subsystems.push(Value::object(
        {{"name", subsystem.name},
         {subsystem.fmu.empty() ? "model" : "fmu", subsystem.fmu.empty() ? subsystem.model : what_it_is(subsystem)},
         {"parameters", std::move(parameters)},
         {"inputs", std::move(ports_in)},
         {"outputs", std::move(ports_out)}}));
  }
  for (const system::Connection& c : d.connections) {
    connections.push(Value::object({{"from", c.from.text}, {"to", c.to.text}, {"gain", c.gain}, {"offset", c.offset}}));
  }
  for (const system::PortAlias& alias : d.aliases) {
    if (!aliases.find(alias.name)) aliases.add(alias.name, Value::array(alias.ports));
  }
  return Value::object({{"name", d.name},
                        {"step", system.plan.step},
                        {"subsystems", std::move(subsystems)},
                        {"connections", std::move(connections)},
                        {"aliases", std::move(aliases)}});
}

std::string conversion_text(const engine::Converted& converted) {
  std::string text = fmt::format("wrote {}\n", converted.file);
  if (!converted.files.empty()) text += fmt::format("  beside it: {}\n", fmt::join(converted.files, ", "));
  if (!converted.ours_alone.empty())
    text += "  SSP has no words for these; seam reads them in extra/, other tools do not:\n";
  for (const std::string& each : converted.ours_alone) text += "    " + each + "\n";
  return text;
}

Value conversion_value(const engine::Converted& converted) {
  return Value::object({{"file", converted.file},
                        {"files", Value::array(converted.files)},
                        {"for_seam_alone", Value::array(converted.ours_alone)}});
}

}  // namespace seam::report
