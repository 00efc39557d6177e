#include "seam/report/coupling_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/base/words.hpp"
#include "seam/system/bonds.hpp"

namespace seam::report {
namespace {

using formats::Value;
using system::Bond;
using system::Connection;
using system::SystemDescription;

/// A corrector makes up at the end of a step for what was wrong inside it, and the rough formula sees the end alone.
bool is_telling(const system::Plan& plan, const stepping::BondEnergy& energy) {
  return energy.delta_micro || plan.corrector.name.empty();
}

/// Whether what the coupling added is worth a warning, by its share of what went through. The rough formula takes the
/// end of a step, where a hold is most wrong, for all of it.
bool is_much(const system::Plan& plan, const stepping::BondEnergy& energy) {
  const double share = energy.delta_micro ? 0.01 : 0.03;
  return is_telling(plan, energy) && energy.added() > share * energy.through;
}

std::string arrow(const SystemDescription& description, int connection) {
  const Connection& c = description.connections[static_cast<std::size_t>(connection)];
  return c.from.text + " -> " + c.to.text;
}

std::string direction(const SystemDescription& description, const Bond& bond) {
  const Connection& effort = description.connections[static_cast<std::size_t>(bond.effort)];
  const std::string& sender = description.subsystems[static_cast<std::size_t>(effort.from.subsystem)].name;
  const std::string& receiver = description.subsystems[static_cast<std::size_t>(effort.to.subsystem)].name;
  return bond.giver == Bond::Giver::effort_sender ? sender + " -> " + receiver : receiver + " -> " + sender;
}

const char* origin(const Bond& bond) {
  constexpr base::Word<Bond::Origin> words[]{{Bond::Origin::file, "declared"},
                                             {Bond::Origin::units, "recognised by units"},
                                             {Bond::Origin::terminals, "recognised by terminals"}};
  return base::to_word(words, bond.origin);
}

Value bond_value(const SystemDescription& description, const Bond& bond) {
  return Value::object({{"origin", origin(bond)},
                        {"effort", arrow(description, bond.effort)},
                        {"flow", arrow(description, bond.flow)},
                        {"positive", direction(description, bond)}});
}

std::string energy_text(const SystemDescription& description, const engine::RunSummary& summary) {
  std::size_t worst = 0;
  for (std::size_t i = 1; i < summary.bonds.size(); ++i) {
    if (std::abs(summary.bonds[i].added()) > std::abs(summary.bonds[worst].added())) worst = i;
  }
  const stepping::BondEnergy& energy = summary.bonds[worst];
  const Bond& bond = description.bonds[worst];
  const char* const unit = system::unit_of(description, bond).is_power ? " J" : "";
  const std::string who = fmt::format(
      "{} ({}{})", bond.name, origin(bond),
      summary.bonds.size() > 1 ? fmt::format(", the most of {} bonds", summary.bonds.size()) : std::string());
  const double added = energy.added();
  if (!std::isfinite(added)) return fmt::format("  the energy that the coupling added to {} is not finite\n", who);
  std::string text =
      fmt::format("  the coupling {} {}{:.6g}{} {} {}", added < 0.0 ? "took" : "added",
                  energy.delta_micro ? "" : "roughly ", std::abs(added), unit, added < 0.0 ? "from" : "to", who);
  if (energy.through > 0.0)
    text += fmt::format(", {:.3g} % of the {:.6g}{} that went through", 100.0 * std::abs(added) / energy.through,
                        energy.through, unit);
  return text + "\n";
}

std::string pump_warning(const engine::System& system, const engine::RunSummary& summary) {
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < summary.bonds.size(); ++i) {
    if (is_much(system.plan, summary.bonds[i])) names.push_back(system.description.bonds[i].name);
  }
  if (names.empty()) return {};
  const std::size_t left_out = names.size() - std::min(names.size(), most);
  names.resize(names.size() - left_out);
  return fmt::format("warning: the coupling pumps energy into {}{}; a smaller --step or another --coupling may help\n",
                     fmt::join(names, ", "), left_out > 0 ? fmt::format(" and {} more", left_out) : "");
}

std::string defect_text(const SystemDescription& description, const engine::RunSummary& summary) {
  const auto worst = std::ranges::max_element(
      summary.defects,
      [](const stepping::Defect& a, const stepping::Defect& b) { return a.relative() < b.relative(); });
  const Connection& connection = description.connections[static_cast<std::size_t>(worst->connection)];
  const std::string& unit = description.subsystems[static_cast<std::size_t>(connection.to.subsystem)]
                                .inputs[static_cast<std::size_t>(connection.to.port)]
                                .unit;
  return fmt::format("  the largest coupling defect is at {}: rms {:.6g}, at most {:.6g}{}, {:.3g} % of the signal\n",
                     connection.to.text, worst->rms, worst->largest, unit.empty() ? "" : " " + unit,
                     100.0 * worst->relative());
}

/// Of the output that lacks most of its size, if that is worth a line.
std::string held_text(const engine::RunSummary& summary) {
  constexpr double noteworthy = 0.01;
  const auto share = [](const engine::HeldOutput& held) { return held.size > 0.0 ? held.lacking / held.size : 0.0; };
  const auto worst = std::ranges::max_element(summary.held_outputs, {}, share);
  if (worst == summary.held_outputs.end() || !(share(*worst) > noteworthy)) return {};
  return fmt::format(
      "  {} follows {} at once but is sent held: it lacks rms {:.6g}, {:.3g} % of it, of what has just arrived; "
      "better: "
      "{}\n",
      worst->output, fmt::join(worst->inputs, ", "), worst->lacking, 100.0 * share(*worst),
      fmt::join(worst->ways, ", or "));
}

}  // namespace

std::string bonds_text(const SystemDescription& description) {
  std::string text;
  for (const Bond& bond : description.bonds) {
    text += fmt::format("  bond {}, {}: effort {}, flow {}, power positive {}\n", bond.name, origin(bond),
                        arrow(description, bond.effort), arrow(description, bond.flow), direction(description, bond));
  }
  return text;
}

Value bonds_value(const SystemDescription& description) {
  Value value = Value::object();
  for (const Bond& bond : description.bonds) value.add(bond.name, bond_value(description, bond));
  return value;
}

std::string coupling_text(const engine::System& system, const engine::RunSummary& summary) {
  std::string text;
  const bool is_known =
      std::ranges::all_of(summary.bonds, [&](const auto& energy) { return is_telling(system.plan, energy); });
  if (!is_known)
    text += "  the energy that the coupling added is not known: under a corrector that takes samples at micro steps\n";
  else if (!summary.bonds.empty())
    text += energy_text(system.description, summary);
  if (!summary.defects.empty()) text += defect_text(system.description, summary);
  text += held_text(summary);
  return text + pump_warning(system, summary);
}

Value energies_value(const engine::System& system, const engine::RunSummary& summary) {
  const SystemDescription& description = system.description;
  Value value = Value::object();
  for (std::size_t i = 0; i < summary.bonds.size(); ++i) {
    const stepping::BondEnergy& energy = summary.bonds[i];
    const Bond& bond = description.bonds[i];
    Value entry = bond_value(description, bond);
    entry.add("unit", system::unit_of(description, bond).is_power ? Value("J") : Value());
    entry.add("energy_added", energy.added());
    entry.add("delta_E", energy.delta);
    entry.add("delta_E_micro", energy.delta_micro);
    entry.add("sum", energy.delta_micro ? "left, over micro steps" : "power at the end of every step times its length");
    entry.add("energy_through", energy.through);
    entry.add("largest_delta_P", energy.largest_delta_power);
    value.add(bond.name, std::move(entry));
  }
  return value;
}

Value held_outputs_value(const engine::RunSummary& summary) {
  Value value = Value::object();
  for (const engine::HeldOutput& held : summary.held_outputs) {
    value.add(held.output, Value::object({{"follows", Value::array(held.inputs)},
                                          {"lacking", held.lacking},
                                          {"rms_of_the_output", held.size},
                                          {"better", Value::array(held.ways)}}));
  }
  return value;
}

Value defects_value(const engine::System& system, const engine::RunSummary& summary) {
  Value value = Value::object();
  for (const stepping::Defect& defect : summary.defects) {
    const Connection& connection = system.description.connections[static_cast<std::size_t>(defect.connection)];
    value.add(connection.to.text,
              Value::object({{"largest", defect.largest}, {"rms", defect.rms}, {"rms_of_the_signal", defect.signal}}));
  }
  return value;
}

}  // namespace seam::report
