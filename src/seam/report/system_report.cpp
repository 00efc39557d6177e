#include "seam/report/system_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/words.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/report/system_words.hpp"
#include "seam/report/text_shape.hpp"

namespace seam::report {
namespace {

using assembly::Assembly;
using engine::ParameterOrigin;
using formats::Value;
using system::Subsystem;
using Block = assembly::InitialisationOrder::Block;
using Source = ParameterOrigin::Source;

/// "file:line"; empty if it is not known.
std::string place_text(const base::Location& where) {
  if (!where.source) return "";
  return where.line > 0 ? fmt::format("{}:{}", where.source->name, where.line) : where.source->name;
}

/// The key of its kind in a system file.
std::string kind_word(const system::Subsystem& subsystem) {
  if (const auto* added = std::get_if<system::AddedKind>(&subsystem.origin)) return added->key;
  return subsystem.fmu() ? "fmu" : "model";
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

constexpr std::size_t most_defaults = 40;  // of a subsystem

bool is_default(const ParameterOrigin& origin) {
  return origin.source == Source::fmu || origin.source == Source::model;
}

constexpr base::Word<Source> sources[]{
    {Source::fmu, "fmu"}, {Source::model, "model"}, {Source::file, "file"}, {Source::flag, "flag"}};

/// "system.yaml:7", or "values.ssv:12 by map.ssm:4", or "--set a.k=2", or "default of the FMU".
std::string origin_text(const ParameterOrigin& origin) {
  switch (origin.source) {
    case Source::fmu:
      return "default of the FMU";
    case Source::model:
      return "default of the model";
    case Source::flag:
      return origin.where.source->name + " " +
             (origin.where.source->lines.empty() ? "" : formats::printable(origin.where.source->lines.front()));
    case Source::file:
      break;
  }
  return place_text(origin.where) + (origin.mapping.source ? " by " + place_text(origin.mapping) : "");
}

/// The lines of one subsystem.
std::string lines_of(const std::vector<const ParameterOrigin*>& origins, Extent extent) {
  std::size_t names = 0, values = 0, defaults = 0;
  for (const ParameterOrigin* origin : origins) {
    names = std::max(names, formats::printable(origin->name).size());
    values = std::max(values, std::min<std::size_t>(40, formats::printable(origin->value, 60).size()));
  }
  std::string text;
  for (const ParameterOrigin* origin : origins) {
    if (is_default(*origin) && ++defaults > most_defaults && extent == Extent::first_lines) continue;
    text += fmt::format("  {:<{}}  {:<{}}  {}\n", formats::printable(origin->name), names,
                        formats::printable(origin->value, 60), values, origin_text(*origin));
  }
  if (defaults > most_defaults && extent == Extent::first_lines)
    text += fmt::format("  … and {} more defaults; --all lists them\n", defaults - most_defaults);
  return text;
}

std::vector<std::string> outputs_of(const Assembly& assembly, const Block& block) {
  std::vector<std::string> names;
  for (const assembly::OutputPlace& place : block.outputs) {
    const assembly::Member& member = assembly.members[static_cast<std::size_t>(place.member)];
    names.push_back(member.name + "." + member.outputs[static_cast<std::size_t>(place.output)].name);
  }
  return names;
}

std::vector<std::string> connections_of(const Assembly& assembly, const Block& block) {
  std::vector<std::string> texts;
  for (const int w : block.wires) {
    const assembly::Wire& wire = assembly.wires[static_cast<std::size_t>(w)];
    texts.push_back(assembly.source_name(wire) + " -> " + assembly.sink_name(wire));
  }
  return texts;
}

std::string loop_text(const Assembly& assembly, const Block& block, std::size_t indent) {
  const std::string head = fmt::format("loop of {}: ", block.outputs.size());
  const Indent below = blanks(indent + head.size());
  return head + wrapped(outputs_of(assembly, block), below) + below.text + "by " +
         wrapped(connections_of(assembly, block), blanks(below.columns + 3));
}

std::string level_text(const Assembly& assembly, const std::vector<const Block*>& blocks, int level) {
  const std::string head = fmt::format("  {:>3}  ", level + 1);
  const Indent below = blanks(head.size());
  std::vector<std::string> single;
  std::string loops;
  for (const Block* block : blocks) {
    if (!block->is_loop()) {
      single.push_back(outputs_of(assembly, *block).front());
      continue;
    }
    loops += (single.empty() && loops.empty() ? head : below.text) + loop_text(assembly, *block, head.size());
  }
  if (single.empty()) return loops;
  if (loops.starts_with(head)) loops.replace(0, head.size(), below.text);
  return head + wrapped(single, below) + loops;
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
    const auto name_of = [](const system::Port& port) { return Value(port.name); };
    Value units = Value::object();
    for (const auto* ports : {&subsystem.inputs, &subsystem.outputs}) {
      for (const system::Port& port : *ports) {
        if (!port.unit.empty() && !units.find(port.name)) units.add(port.name, port.unit);
      }
    }
    subsystems.push(
        Value::object({{"name", subsystem.name},
                       {kind_word(subsystem), subsystem.model() ? subsystem.model()->name : what_it_is(subsystem)},
                       {"parameters", std::move(parameters)},
                       {"inputs", Value::list(subsystem.inputs, name_of)},
                       {"outputs", Value::list(subsystem.outputs, name_of)},
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

std::string parameters_text(const engine::System& system, Extent extent) {
  const std::vector<ParameterOrigin> all = engine::parameter_origins(system);
  std::string text;
  for (const system::Subsystem& subsystem : system.description.subsystems) {
    std::vector<const ParameterOrigin*> own;
    for (const ParameterOrigin& origin : all) {
      if (origin.subsystem == subsystem.name) own.push_back(&origin);
    }
    text += fmt::format("{}  ({}){}\n", formats::printable(subsystem.name), what_it_is(subsystem),
                        own.empty() ? ": no parameters" : "");
    text += lines_of(own, extent);
  }
  return text;
}

Value parameters_value(const engine::System& system) {
  const auto origin_value = [](const ParameterOrigin& origin) {
    return Value::object({{"subsystem", origin.subsystem},
                          {"name", origin.name},
                          {"value", origin.value},
                          {"source", base::to_word(sources, origin.source)},
                          {"from", origin_text(origin)}});
  };
  return Value::object({{"name", system.description.name},
                        {"parameters", Value::list(engine::parameter_origins(system), origin_value)}});
}

std::string initialisation_text(const engine::System& system, const Assembly& assembly) {
  const assembly::InitialisationOrder order = assembly::initialisation_order(assembly);
  std::vector<std::vector<const Block*>> levels;
  long loops = 0;
  for (const Block& block : order.blocks) {
    const auto level = static_cast<std::size_t>(block.level);
    if (level >= levels.size()) levels.resize(level + 1);
    levels[level].push_back(&block);
    loops += block.is_loop() ? 1 : 0;
  }
  std::string text = fmt::format("{}: the outputs at the start follow from each other in {} {}, {}\n",
                                 system.description.name, levels.size(), levels.size() == 1 ? "stage" : "stages",
                                 loops == 0   ? "without a loop"
                                 : loops == 1 ? "with 1 loop"
                                              : fmt::format("with {} loops", loops));
  for (std::size_t level = 0; level < levels.size(); ++level)
    text += level_text(assembly, levels[level], static_cast<int>(level));
  return text;
}

Value initialisation_value(const engine::System& system, const Assembly& assembly) {
  const auto wire_value = [&](int w) {
    const assembly::Wire& wire = assembly.wires[static_cast<std::size_t>(w)];
    return Value::object({{"from", assembly.source_name(wire)}, {"to", assembly.sink_name(wire)}});
  };
  const auto block_value = [&](const Block& block) {
    return Value::object({{"stage", block.level + 1},
                          {"outputs", Value::array(outputs_of(assembly, block))},
                          {"loop", block.is_loop()},
                          {"connections", Value::list(block.wires, wire_value)}});
  };
  return Value::object({{"name", system.description.name},
                        {"blocks", Value::list(assembly::initialisation_order(assembly).blocks, block_value)}});
}

}  // namespace seam::report
