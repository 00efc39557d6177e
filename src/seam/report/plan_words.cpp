#include "seam/report/plan_words.hpp"

#include <fmt/format.h>

#include <cmath>

#include "seam/coupling/catalog.hpp"

namespace seam::report {

using formats::Value;

std::string word(system::Feedthrough feedthrough) {
  return feedthrough == system::Feedthrough::held ? "held" : "fresh";
}

std::string coupling_words(const system::Plan& plan) {
  std::string words;
  for (const system::Coupling& coupling : plan.connections) {
    const std::string name = coupling::describe(coupling);
    if (!words.empty() && words != name) {
      words = "mixed";
      break;
    }
    words = name;
  }
  if (words.empty()) return "none";
  return plan.corrector.name.empty() ? words : words + " with " + coupling::describe(plan.corrector);
}

std::string feedthrough_words(const system::Plan& plan) {
  std::string words;
  for (const system::SubsystemPlan& subsystem : plan.subsystems) {
    if (!words.empty() && words != word(subsystem.feedthrough)) return "mixed";
    words = word(subsystem.feedthrough);
  }
  return words;
}

std::string time_words(double seconds) {
  const double size = std::abs(seconds);
  if (size == 0.0 || size >= 0.1) return fmt::format("{:.7g} s", seconds);
  if (size >= 1e-4) return fmt::format("{:.7g} ms", 1e3 * seconds);
  if (size >= 1e-7) return fmt::format("{:.7g} us", 1e6 * seconds);
  return fmt::format("{:.7g} s", seconds);
}

Value plan_value(const engine::System& system) {
  Value plan = Value::object();
  plan.add("step", system.plan.step);
  if (system.plan.schedule == system::Schedule::Kind::gauss_seidel) {
    std::vector<std::string> order;
    for (const int index : system.plan.order)
      order.push_back(system.description.subsystems[static_cast<std::size_t>(index)].name);
    plan.add("schedule", Value::object({{"gauss-seidel", Value::array(order)}}));
  } else {
    plan.add("schedule", "jacobi");
  }
  if (!system.plan.corrector.name.empty()) plan.add("corrector", coupling::describe(system.plan.corrector));
  plan.add("events", system.plan.events == system::Events::shared ? "shared" : "local");
  plan.add("threads", system::words(system.plan.threads));
  Value subsystems = Value::object();
  for (std::size_t i = 0; i < system.plan.subsystems.size(); ++i) {
    const system::SubsystemPlan& entry = system.plan.subsystems[i];
    Value value = Value::object({{"micro_step", entry.micro_step}, {"feedthrough", word(entry.feedthrough)}});
    if (entry.multiple > 1) value.add("step", entry.multiple * system.plan.step);
    if (entry.via != system::Via::automatic) value.add("via", system::word(entry.via));
    subsystems.add(system.description.subsystems[i].name, std::move(value));
  }
  plan.add("subsystems", std::move(subsystems));
  Value connections = Value::object();
  for (std::size_t i = 0; i < system.plan.connections.size(); ++i) {
    connections.add(system.description.connections[i].to.text, coupling::describe(system.plan.connections[i]));
  }
  plan.add("connections", std::move(connections));
  if (system.description.plan.chosen.empty()) return plan;
  plan.add("chosen", Value::list(system.description.plan.chosen, [](const system::ChosenEntry& entry) {
             return Value::object({{"entry", entry.entry}, {"value", entry.value}, {"why", entry.why}});
           }));
  return plan;
}

}  // namespace seam::report
