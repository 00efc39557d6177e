#include "seam/report/system_report.hpp"

#include <fmt/format.h>

#include "seam/report/system_words.hpp"

namespace seam::report {
namespace {

using formats::Value;
using system::Subsystem;

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

}  // namespace

Value system_value(const engine::System& system) {
  const system::SystemDescription& d = system.description;
  Value subsystems = Value::array(), connections = Value::array(), aliases = Value::object();
  for (const Subsystem& subsystem : d.subsystems) {
    Value parameters = Value::array();
    for (const system::Setting& setting : subsystem.set) {
      const base::Location& where = setting.value.where.source ? setting.value.where : setting.where;
      parameters.push(
          Value::object({{"name", setting.name}, {"value", value_text(setting.value)}, {"from", place_text(where)}}));
    }
    Value ports_in = Value::array(), ports_out = Value::array(), units = Value::object();
    for (const system::Port& port : subsystem.inputs) ports_in.push(port.name);
    for (const system::Port& port : subsystem.outputs) ports_out.push(port.name);
    for (const auto* ports : {&subsystem.inputs, &subsystem.outputs}) {
      for (const system::Port& port : *ports) {
        if (!port.unit.empty() && !units.find(port.name)) units.add(port.name, port.unit);
      }
    }
    subsystems.push(
        Value::object({{"name", subsystem.name},
                       {kind_word(subsystem), subsystem.model() ? subsystem.model()->name : what_it_is(subsystem)},
                       {"parameters", std::move(parameters)},
                       {"inputs", std::move(ports_in)},
                       {"outputs", std::move(ports_out)},
                       {"units", std::move(units)}}));
  }
  for (const system::Connection& c : d.connections) {
    Value map = Value::array();
    for (const system::MapEntry& entry : c.map) map.push(Value::array({entry.from, entry.to}));
    connections.push(Value::object(
        {{"from", c.from.text}, {"to", c.to.text}, {"gain", c.gain}, {"offset", c.offset}, {"map", std::move(map)}}));
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
