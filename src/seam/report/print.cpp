#include "seam/report/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "seam/formats/json.hpp"
#include "seam/report/coupling_report.hpp"
#include "seam/report/plan_words.hpp"

namespace seam::report {
namespace {

using formats::Value;

/// How the runs came closer: "  step 1 ms", "  step 0.5 ms: 2.1e-03 apart (b.y)", and with which order at last.
std::string halvings_text(const engine::ReferenceSummary& summary) {
  std::string text;
  for (const engine::Halving& halving : summary.halvings) {
    text += fmt::format("  step {}", time_words(halving.step));
    if (halving.apart) text += fmt::format(": {:.2e} apart", *halving.apart);
    if (!halving.furthest.empty()) text += fmt::format(" ({})", halving.furthest);
    text += "\n";
  }
  return text;
}

std::string chosen_text(const system::PlanRequest& plan) {
  std::string text;
  for (const system::ChosenEntry& chosen : plan.chosen)
    text += fmt::format("  {}: auto is {}: {}\n", chosen.entry, chosen.value, chosen.why);
  if (plan.has_auto())
    text += "  what is auto in the plan is chosen by run and analyze, since FMUs have to be run for that\n";
  return text;
}

/// Inputs of FMUs that nothing feeds and that are not set: often a connection was forgotten.
std::vector<std::string> inputs_at_zero(const system::SystemDescription& description) {
  std::set<std::pair<int, int>> fed;
  for (const system::Connection& connection : description.connections)
    fed.emplace(connection.to.subsystem, connection.to.port);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < description.subsystems.size(); ++i) {
    const system::Subsystem& subsystem = description.subsystems[i];
    if (!subsystem.fmu()) continue;  // what built-in models need is asked for
    for (std::size_t p = 0; p < subsystem.inputs.size(); ++p) {
      const system::Port& input = subsystem.inputs[p];
      const bool is_set = std::ranges::find(subsystem.set, input.name, &system::Setting::name) != subsystem.set.end();
      if (input.type != system::PortType::real || input.start != 0.0 || is_set) continue;
      if (!fed.contains({static_cast<int>(i), static_cast<int>(p)})) names.push_back(subsystem.name + "." + input.name);
    }
  }
  return names;
}

std::string inputs_text(const system::SystemDescription& description) {
  constexpr std::size_t shown = 8;
  std::vector<std::string> names = inputs_at_zero(description);
  const std::size_t all = names.size();
  if (all == 0) return {};
  names.resize(std::min(all, shown));
  return fmt::format("  {} nothing feeds and {} at 0: {}{}\n", all == 1 ? "an input that" : "inputs that",
                     all == 1 ? "that starts" : "that start", fmt::join(names, ", "),
                     all > shown ? fmt::format(" and {} more", all - shown) : "");
}

}  // namespace

std::string json(const Value& value) { return formats::to_json(value, 2) + "\n"; }

Value failure_value(int exit_code, const std::string& message, const base::Problems& problems) {
  const auto problem_value = [](const base::Problem& problem) {
    return Value::object({{"file", problem.where.source ? Value(problem.where.source->name) : Value()},
                          {"line", problem.where.line > 0 ? Value(problem.where.line) : Value()},
                          {"column", problem.where.column > 0 ? Value(problem.where.column) : Value()},
                          {"what", problem.what},
                          {"mend", problem.mend}});
  };
  return Value::object(
      {{"exit_code", exit_code}, {"error", message}, {"problems", Value::list(problems.all(), problem_value)}});
}

std::string reference_text(const engine::System& system, const engine::ReferenceSummary& summary) {
  if (summary.file.empty()) return fmt::format("{}: interrupted; nothing was written\n", system.description.name);
  std::string text;
  if (!summary.diverged.empty()) text = fmt::format("error: the solution itself diverges: {}\n", summary.diverged);
  if (!summary.ended.empty()) text += summary.ended + "\n";
  for (const std::string& notice : summary.notices) text += "notice: " + notice + "\n";
  if (summary.halvings.empty()) {
    text += fmt::format("{}: monolithic solution by {}\n", system.description.name, summary.method);
  } else {
    text += fmt::format("{}: not a monolithic solution ({}); explicit runs with ever smaller steps until two agree\n",
                        system.description.name, summary.not_monolithic);
    text += halvings_text(summary);
  }
  return text + fmt::format("  {} rows in {}\n", summary.rows, summary.file);
}

Value reference_value(const engine::System& system, const engine::ReferenceSummary& summary) {
  const auto halving_value = [](const engine::Halving& halving) {
    return Value::object({{"step", halving.step},
                          {"apart", halving.apart},
                          {"furthest", halving.furthest.empty() ? Value() : Value(halving.furthest)}});
  };
  return Value::object({{"name", system.description.name},
                        {"monolithic", summary.halvings.empty()},
                        {"method", summary.method},
                        {"why_not_monolithic", summary.halvings.empty() ? Value() : Value(summary.not_monolithic)},
                        {"halvings", Value::list(summary.halvings, halving_value)},
                        {"result", summary.file.empty() ? Value() : Value(summary.file)},
                        {"rows", summary.rows},
                        {"notices", Value::array(summary.notices)},
                        {"ended", summary.ended.empty() ? Value() : Value(summary.ended)},
                        {"diverged", summary.diverged.empty() ? Value() : Value(summary.diverged)}});
}

std::string check_text(const engine::System& system) {
  std::string text;
  for (const std::string& notice : system.description.notices) text += "notice: " + notice + "\n";
  return text +
         fmt::format("{}: no problems; {} subsystems, {} connections, macro step {}, {}, feed-through {}\n",
                     system.description.name, system.description.subsystems.size(),
                     system.description.connections.size(), time_words(system.plan.step), coupling_words(system.plan),
                     feedthrough_words(system.plan)) +
         inputs_text(system.description) + chosen_text(system.description.plan) + bonds_text(system.description);
}

Value check_value(const engine::System& system) {
  return Value::object({{"name", system.description.name},
                        {"problems", Value::array()},
                        {"notices", Value::array(system.description.notices)},
                        {"inputs_at_zero", Value::array(inputs_at_zero(system.description))},
                        {"subsystems", system.description.subsystems.size()},
                        {"connections", system.description.connections.size()},
                        {"bonds", bonds_value(system.description)},
                        {"plan", plan_value(system)}});
}

}  // namespace seam::report
