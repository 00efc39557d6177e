#include "seam/system/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "seam/base/grid.hpp"

namespace seam::system {
namespace {

void check_names(const SystemDescription& description, base::Problems& problems) {
  // what could not be read is no subsystem, and that has been said
  if (description.subsystems.empty() && problems.empty())
    problems.add(description.where, "the system has no subsystems");
  std::map<std::string, base::Location> first_places;
  for (const Subsystem& subsystem : description.subsystems) {
    if (!is_legal_path(subsystem.name)) {
      problems.add(subsystem.where, fmt::format("\"{}\" cannot name a subsystem", subsystem.name),
                   "a name begins with a letter or _, and goes on with letters, digits, _ and -; dots join such names");
    }
    const auto [first, is_new] = first_places.emplace(subsystem.name, subsystem.where);
    if (!is_new) {
      problems.add(subsystem.where, fmt::format("there are two subsystems \"{}\"", subsystem.name),
                   fmt::format("the first is on line {}", first->second.line));
    }
  }
}

using PortIndex = std::pair<int, int>;

std::map<PortIndex, const Connection*> check_sinks(const SystemDescription& description, base::Problems& problems) {
  std::map<PortIndex, const Connection*> sources;
  for (const Connection& connection : description.connections) {
    if (connection.to.port < 0) continue;
    const auto [first, is_new] = sources.emplace(PortIndex{connection.to.subsystem, connection.to.port}, &connection);
    if (is_new) continue;
    const Connection& other = *first->second;
    problems.add(connection.to.where.source ? connection.to.where : connection.where,
                 fmt::format("\"{}\" has two sources: \"{}\" (line {}) and \"{}\" (line {})", connection.to.text,
                             other.from.text, other.where.line, connection.from.text, connection.where.line),
                 "every input has one source: remove one of the connections");
  }
  return sources;
}

/// Whether an event gives the input its value from the start on.
bool is_set_at_start(const Experiment& experiment, int subsystem, int input) {
  for (const Event& event : experiment.events) {
    if (event.from > experiment.start) continue;
    for (const EventTarget& target : event.targets) {
      if (target.subsystem == subsystem && target.input == input) return true;
    }
  }
  return false;
}

void check_free_inputs(const SystemDescription& description, const std::map<PortIndex, const Connection*>& sources,
                       base::Problems& problems) {
  std::set<int> unresolved;  // subsystems of connections that are wrong: what they lack may be what was meant there
  for (const Connection& connection : description.connections) {
    if (connection.from.port < 0 || connection.to.port < 0)
      unresolved.insert({connection.from.subsystem, connection.to.subsystem});
  }
  for (std::size_t s = 0; s < description.subsystems.size(); ++s) {
    if (unresolved.count(static_cast<int>(s)) > 0) continue;
    const Subsystem& subsystem = description.subsystems[s];
    for (std::size_t p = 0; p < subsystem.inputs.size(); ++p) {
      const Port& port = subsystem.inputs[p];
      if (sources.count({static_cast<int>(s), static_cast<int>(p)}) > 0) continue;
      if (port.type == PortType::clock) {
        problems.add(subsystem.where,
                     fmt::format("nothing ticks the clock \"{}.{}\": it is a triggered input clock and not connected",
                                 subsystem.name, port.name),
                     fmt::format("connect an output clock of another FMU (… -> {}.{})", subsystem.name, port.name));
      }
      if (port.start || port.type != PortType::real) continue;
      if (is_set_at_start(description.experiment, static_cast<int>(s), static_cast<int>(p))) continue;
      problems.add(
          subsystem.where,
          fmt::format("the input \"{}.{}\" is not connected and has no start value", subsystem.name, port.name),
          fmt::format("connect it (… -> {}.{}), if need be to a constant", subsystem.name, port.name));
    }
  }
}

bool check_positive(double value, std::string_view name, const base::Location& where, base::Problems& problems) {
  if (std::isfinite(value) && value > 0.0) return true;
  problems.add(where, fmt::format("{} must be a time greater than zero, not {}", name, value));
  return false;
}

// The times nearest to `part` that fill `total` a whole number of times.
std::string nearest_parts(double total, double part) {
  const double fewer = std::max(1.0, std::floor(total / part));
  return fmt::format("{} s and {} s do", total / fewer, total / (fewer + 1.0));
}

void check_divides(double step, double part, std::string_view name, const base::Location& where,
                   base::Problems& problems) {
  constexpr double most = 1e9;
  if (step / part > most) {
    problems.add(where,
                 fmt::format("{} {} s is more than {} times smaller than the step {} s", name, part, most, step));
    return;
  }
  if (base::divide(step, part).exact && base::divide(step, part).whole >= 1) return;
  problems.add(where, fmt::format("{} {} s does not divide the step {} s a whole number of times", name, part, step),
               nearest_parts(step, part));
}

void check_experiment(const Experiment& experiment, base::Problems& problems) {
  if (!std::isfinite(experiment.start)) {
    problems.add(experiment.start_where, fmt::format("start must be a finite time, not {}", experiment.start));
    return;
  }
  if (const auto& tolerance = experiment.tolerance; tolerance && !(*tolerance > 0.0 && *tolerance < 1.0)) {
    problems.add(experiment.tolerance_where,
                 fmt::format("tolerance is relative: a number between 0 and 1, not {}", *tolerance),
                 "1e-6 is a common choice");
  }
  if (!experiment.stop) return;
  if (!std::isfinite(*experiment.stop)) {
    problems.add(experiment.stop_where, fmt::format("stop must be a finite time, not {}", *experiment.stop));
  } else if (!(*experiment.stop > experiment.start)) {
    problems.add(experiment.stop_where,
                 fmt::format("stop ({} s) must be later than start ({} s)", *experiment.stop, experiment.start));
  }
}

/// Past this the grid has no whole numbers any more.
void check_step_count(const Experiment& experiment, double step, base::Problems& problems) {
  constexpr double most = 1e15;
  if (!experiment.stop || !((*experiment.stop - experiment.start) / step > most)) return;
  problems.add(experiment.stop_where.line > 0 ? experiment.stop_where : base::Location{},
               fmt::format("from {} s to {} s there are more than {} steps of {} s", experiment.start, *experiment.stop,
                           most, step));
}

void check_steps(const SystemDescription& description, base::Problems& problems) {
  const PlanRequest& plan = description.plan;
  const bool step = plan.step && check_positive(*plan.step, "step", plan.step_where, problems);
  if (step) check_step_count(description.experiment, *plan.step, problems);
  // Where subsystems have steps of their own, what must divide what is known when the plan is complete.
  const bool own_steps = std::ranges::any_of(
      plan.subsystems, [](const SubsystemPlanRequest& request) { return request.step.has_value(); });
  for (const SubsystemPlanRequest& request : plan.subsystems) {
    if (request.step) check_positive(*request.step, "step", request.step_where, problems);
    if (!request.micro_step || !check_positive(*request.micro_step, "micro_step", request.micro_step_where, problems)) {
      continue;
    }
    if (step && !own_steps)
      check_divides(*plan.step, *request.micro_step, "micro_step", request.micro_step_where, problems);
  }
  for (const Subsystem& subsystem : description.subsystems) {
    const base::Location& where = subsystem.solver_step_where;
    if (!subsystem.solver_step || !check_positive(*subsystem.solver_step, "solver_step", where, problems)) continue;
    if (step && !own_steps) check_divides(*plan.step, *subsystem.solver_step, "solver_step", where, problems);
  }
  const RecordRequest& record = description.record;
  if (!record.every || !check_positive(*record.every, "every", record.every_where, problems) || !step) return;
  const base::Division division = base::divide(*record.every, *plan.step);
  if (division.exact && division.whole >= 1) return;
  const double fewer = std::max<double>(1.0, static_cast<double>(division.whole));
  problems.add(record.every_where,
               fmt::format("every {} s is not a whole number of steps of {} s", *record.every, *plan.step),
               fmt::format("{} s and {} s are", fewer * *plan.step, (fewer + 1.0) * *plan.step));
}

/// What is asked for of the coupling must be there to be seen.
void check_coupling_record(const SystemDescription& description, base::Problems& problems) {
  const RecordRequest& record = description.record;
  if (!record.micro.empty() && description.plan.events == Events::shared) {
    problems.add(record.micro_where.front(), "record.micro is not possible with events: shared",
                 "steps are cut at events there, not into micro steps");
  }
  if (record.coupling.empty()) return;
  if (description.plan.events == Events::shared) {
    problems.add(record.coupling_where, "record.coupling is not possible with events: shared",
                 "steps are cut at events there, and no monitor watches the parts");
  }
  if (record.wants(CouplingRecord::energy) && description.bonds.empty()) {
    problems.add(
        record.coupling_where, "the energy is asked for, but there is no bond",
        "write  - {bond: name, effort: a.force -> b.force, flow: b.velocity -> a.velocity}  among the connections");
  }
}

}  // namespace

bool is_legal_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (name.empty() || !letter(name.front())) return false;
  for (const char c : name) {
    if (!letter(c) && !(c >= '0' && c <= '9') && c != '-') return false;
  }
  return true;
}

bool is_legal_path(std::string_view path) {
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    if (!is_legal_name(path.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}

std::string legal_path(std::string_view name) {
  std::string path;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    std::string part(name.substr(begin, end - begin));
    for (char& c : part) {
      if (!is_legal_name(std::string("a") + c)) c = '_';
    }
    path += (begin == 0 ? "" : ".") + (is_legal_name(part) ? part : "_" + part);
    begin = end + 1;
  }
  return path;
}

void validate(const SystemDescription& description, base::Problems& problems) {
  check_names(description, problems);
  const auto sources = check_sinks(description, problems);
  check_free_inputs(description, sources, problems);
  check_experiment(description.experiment, problems);
  check_steps(description, problems);
  check_coupling_record(description, problems);
}

}  // namespace seam::system
