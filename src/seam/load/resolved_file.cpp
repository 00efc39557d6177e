#include "seam/load/resolved_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "seam/formats/number.hpp"
#include "seam/formats/yaml_writer.hpp"
#include "seam/load/system_values.hpp"
#include "seam/system/resolve.hpp"

namespace seam::load {
namespace {

using formats::Value;
using system::Connection;
using system::Subsystem;
using system::SystemDescription;

Value settings_value(const std::vector<system::Setting>& settings) {
  Value map = Value::object();
  for (const system::Setting& setting : settings)
    map.add(setting.name, converted(setting.value), origin(setting.where));
  return map;
}

Value subsystem_value(const Subsystem& subsystem, std::optional<double> step) {
  Value value = Value::object();
  if (const system::FmuFile* fmu = subsystem.fmu()) {
    value.add("fmu", fmu->shown());
    if (!subsystem.set.empty()) value.add("set", settings_value(subsystem.set));
    value.add("interface", fmu->interface == system::FmuInterface::model_exchange ? "me" : "cs",
              origin(fmu->interface_where));
    value.add("retries", fmu->retries, origin(fmu->retries_where));
    value.add("private", fmu->private_files);
    value.add("copies", fmu->copies_allowed ? "allow" : "refuse");
    value.add("serial", fmu->serial);
    value.add("event_mode", system::word(fmu->event_mode), origin(fmu->event_mode_where));
    value.add("via", system::word(fmu->via), origin(fmu->via_where));
    return value;
  }
  if (const auto* added = std::get_if<system::AddedKind>(&subsystem.origin)) {
    value.add(added->key, converted(added->content));
  } else {
    value.add("model", subsystem.model()->name);
  }
  if (!subsystem.set.empty()) value.add("set", settings_value(subsystem.set));
  if (!subsystem.model()) return value;
  if (subsystem.solver) value.add("solver", *subsystem.solver, origin(subsystem.solver_where));
  if (subsystem.solver_step) {
    value.add("solver_step", *subsystem.solver_step, origin(subsystem.solver_step_where));
  } else if (step && !subsystem.is_signal) {
    value.add("solver_step", *step, "default: the macro step");
  }
  if (!subsystem.is_signal || subsystem.input_signal_where.source) {
    const bool stepped = subsystem.input_signal == system::InputSignal::stepped;
    value.add("input_signal", stepped ? "stepped" : "signal", origin(subsystem.input_signal_where));
  }
  return value;
}

Value event_value(const system::Event& event, const SystemDescription& description) {
  using system::EventKind;
  const bool lasts = event.kind != EventKind::set;
  Value value = Value::object();
  value.add(lasts ? "from" : "at", event.from);
  if (lasts) value.add("to", event.to);
  Value targets = Value::object();
  for (const system::EventTarget& target : event.targets)
    targets.add(target.path, converted(target.value),
                target.where.source == description.where.source ? "from the file" : "from the scenario");
  value.add(event.kind == EventKind::set    ? "set"
            : event.kind == EventKind::ramp ? "ramp"
                                            : "override",
            std::move(targets));
  return value;
}

bool fits_short_form(const std::string& path) {
  return path.find("->") == std::string::npos && path.find_first_of("{}") == std::string::npos;
}

Value connection_value(const Connection& connection) {
  const bool resolved = connection.from.port >= 0 && connection.to.port >= 0;
  const double gain = resolved ? connection.asked_gain : connection.gain;
  const double offset = resolved ? connection.asked_offset : connection.offset;
  const bool has_unit = !connection.from_unit.empty();
  const bool as_is = connection.units == system::UnitConversion::suppressed;
  const bool plain = gain == 1.0 && offset == 0.0 && !has_unit && !as_is && connection.map.empty();
  if (plain && fits_short_form(connection.from.text) && fits_short_form(connection.to.text)) {
    return connection.from.text + " -> " + connection.to.text;
  }
  Value value = Value::object({{"from", connection.from.text}, {"to", connection.to.text}});
  if (gain != 1.0) value.add("gain", gain);
  if (offset != 0.0) value.add("offset", offset);
  if (as_is) value.add("unit", "as-is");
  if (has_unit && !as_is) value.add("unit", connection.from_unit + " -> " + connection.to_unit);
  Value map = Value::object();
  for (const system::MapEntry& entry : connection.map) map.add(std::to_string(entry.from), entry.to);
  if (!connection.map.empty()) value.add("map", std::move(map));
  return value;
}

bool is_written(const system::Bond& bond) {
  return bond.origin == system::Bond::Origin::file && bond.effort >= 0 && bond.flow >= 0;
}

enum class Halves {
  whole,  ///< the connections themselves
  named   ///< which they are: they are said elsewhere
};

Value bond_value(const system::Bond& bond, const SystemDescription& description, Halves halves) {
  const auto half = [&](int index) {
    const Connection& connection = description.connections[static_cast<std::size_t>(index)];
    if (halves == Halves::whole) return connection_value(connection);
    Connection ends;
    ends.from.text = connection.from.text;
    ends.to.text = connection.to.text;
    return connection_value(ends);
  };
  Value value = Value::object({{"bond", bond.name}, {"effort", half(bond.effort)}, {"flow", half(bond.flow)}});
  if (bond.positive) value.add("positive", bond.positive->first + " -> " + bond.positive->second);
  return value;
}

/// Declared bonds stand where the first of their two connections does.
Value connections_value(const SystemDescription& description) {
  Value connections = Value::array();
  std::vector<const system::Bond*> bond_of(description.connections.size());
  for (const system::Bond& bond : description.bonds) {
    if (!is_written(bond)) continue;
    for (const int half : {bond.effort, bond.flow}) bond_of[static_cast<std::size_t>(half)] = &bond;
  }
  for (std::size_t i = 0; i < bond_of.size(); ++i) {
    const system::Bond* const bond = bond_of[i];
    if (!bond) {
      connections.push(connection_value(description.connections[i]));
    } else if (static_cast<int>(i) == std::min(bond->effort, bond->flow)) {
      connections.push(bond_value(*bond, description, Halves::whole));
    }
  }
  return connections;
}

Value units_value(const std::vector<system::UnitDefinition>& units) {
  static constexpr const char* symbols[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  Value value = Value::object();
  for (const system::UnitDefinition& definition : units) {
    Value base = Value::object();
    for (std::size_t i = 0; i < definition.unit.exponents.size(); ++i) {
      if (definition.unit.exponents[i] != 0) base.add(symbols[i], definition.unit.exponents[i]);
    }
    value.add(definition.name,
              Value::object(
                  {{"base", std::move(base)}, {"factor", definition.unit.factor}, {"offset", definition.unit.offset}}));
  }
  return value;
}

Value record_value(const SystemDescription& description, std::optional<double> step) {
  const system::RecordRequest& record = description.record;
  Value value = Value::object();
  value.add("file", record.file.value_or(description.name + ".csv"), origin(record.file_where));
  if (record.every || step) value.add("every", record.every ? *record.every : *step, origin(record.every_where));
  if (!record.variables.empty()) value.add("variables", Value::array(record.variables), origin(record.where));
  Value coupling = Value::array();
  for (const system::CouplingRecord what : record.coupling)
    coupling.push(coupling_records[static_cast<std::size_t>(what)]);
  if (!record.coupling.empty()) value.add("coupling", std::move(coupling), origin(record.coupling_where));
  if (!record.micro.empty()) value.add("micro", Value::array(record.micro), origin(record.micro_where.front()));
  return value;
}

}  // namespace

Value resolved_value(const SystemDescription& description, const system::Plan* plan) {
  std::optional<double> step = plan ? std::optional(plan->step) : description.plan.step;
  if (description.plan.auto_step) step.reset();  // only where the search for it begins
  Value subsystems = Value::object(), experiment = Value::object();
  for (std::size_t i = 0; i < description.subsystems.size(); ++i) {
    const bool planned = step && plan && i < plan->subsystems.size();
    const std::optional<double> own = planned ? std::optional(plan->subsystems[i].multiple * plan->step) : step;
    subsystems.add(description.subsystems[i].name, subsystem_value(description.subsystems[i], own));
  }
  experiment.add("start", description.experiment.start, origin(description.experiment.start_where));
  if (description.experiment.stop) {
    experiment.add("stop", *description.experiment.stop, origin(description.experiment.stop_where));
  }
  if (description.experiment.tolerance) {
    experiment.add("tolerance", *description.experiment.tolerance, origin(description.experiment.tolerance_where));
  }
  if (!description.experiment.events.empty()) {
    Value events = Value::array();
    for (const system::Event& event : description.experiment.events) events.push(event_value(event, description));
    experiment.add("events", std::move(events));
  }
  Value file = Value::object({{"seam", 1}, {"name", description.name}});
  if (!description.description.empty()) file.add("description", description.description);
  if (!description.units.empty()) file.add("units", units_value(description.units));
  file.add("subsystems", std::move(subsystems));
  file.add("connections", connections_value(description));
  file.add("experiment", std::move(experiment));
  file.add("plan", plan_value(description, plan));
  file.add("record", record_value(description, step));
  return file;
}

Value bonds_value(const SystemDescription& description) {
  Value bonds = Value::array();
  for (const system::Bond& bond : description.bonds) {
    if (is_written(bond)) bonds.push(bond_value(bond, description, Halves::named));
  }
  return bonds;
}

std::string resolved_text(const SystemDescription& description, const system::Plan* plan) {
  return formats::to_yaml(resolved_value(description, plan));
}

}  // namespace seam::load
