#include "seam/load/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/base/grid.hpp"
#include "seam/load/fmu_subsystem.hpp"
#include "seam/load/kinds.hpp"

namespace seam::load {
namespace {

using assembly::Assembly;
using assembly::Member;
using system::Subsystem;
using system::SystemDescription;

/// The smallest that an FMU suggests, and who suggests it.
std::optional<double> smallest_suggestion(const SystemDescription& description,
                                          std::optional<double> system::SuggestedTimes::*which, std::string& who) {
  std::optional<double> smallest;
  for (const Subsystem& subsystem : description.subsystems) {
    const std::optional<double>& suggested = subsystem.suggested.*which;
    if (!suggested || !(*suggested > 0.0) || (smallest && *suggested >= *smallest)) continue;
    smallest = suggested;
    who = subsystem.name;
  }
  return smallest;
}

/// A start time that the user did not give: the one that all FMUs with a suggestion agree on.
void suggest_start(SystemDescription& description) {
  if (description.experiment.start_where.source) return;
  std::optional<double> agreed;
  for (const Subsystem& subsystem : description.subsystems) {
    const std::optional<double>& suggested = subsystem.suggested.start;
    if (!suggested || !std::isfinite(*suggested)) continue;
    if (agreed && *agreed != *suggested) return;
    agreed = suggested;
  }
  if (!agreed || *agreed == description.experiment.start) return;
  description.experiment.start = *agreed;
  description.notices.push_back(fmt::format("start time {} s, as the FMUs suggest", *agreed));
}

/// Steps of which the macro step is a multiple: those that FMUs declare, and, where it is to be chosen, those that the
/// file gives.
std::vector<double> internal_steps(const SystemDescription& description) {
  std::vector<double> steps;
  const auto add = [&](const std::optional<double>& step) {
    if (step && *step > 0.0) steps.push_back(*step);
  };
  for (const Subsystem& subsystem : description.subsystems) {
    add(subsystem.suggested.step_unit);
    if (description.plan.auto_step) add(subsystem.solver_step);
  }
  for (const system::SubsystemPlanRequest& request : description.plan.subsystems) {
    if (description.plan.auto_step) add(request.micro_step);
  }
  return steps;
}

/// The longest multiple of the internal steps which is no longer than this and fits the experiment; at least one such
/// step, if the experiment is that long. Where there is none in common it is what was wanted.
double whole_internal_steps(const SystemDescription& description, double wanted) {
  std::optional<double> unit;
  for (const double own : internal_steps(description)) {
    unit = base::common_multiple(unit.value_or(own), own);
    if (!unit) return wanted;
  }
  if (!unit) return wanted;
  const auto stop = description.experiment.stop;
  const double duration = stop ? *stop - description.experiment.start : std::numeric_limits<double>::infinity();
  if (*unit > duration) return wanted;
  const base::Division units = base::divide(wanted, *unit);
  if (units.exact && units.whole > 0) return wanted;
  const base::Tick most = std::max<base::Tick>(units.whole, 1);
  for (base::Tick count = most; count > 0 && count > most - 1000; --count) {
    const double step = static_cast<double>(count) * *unit;
    if (base::divide(duration, step).exact) return step;
  }
  return static_cast<double>(most) * *unit;
}

/// A stop time that the user did not give. Beside a start time that he gave, which the suggested one may not reach, an
/// experiment is as long as the one that is suggested, else one second: the default of FMI.
void suggest_stop(SystemDescription& description) {
  std::string who;
  system::Experiment& experiment = description.experiment;
  const auto stop = smallest_suggestion(description, &system::SuggestedTimes::stop, who);
  const bool start_given = experiment.start_where.source != nullptr;
  if (stop && (*stop > experiment.start || !start_given)) {
    experiment.stop = stop;
    description.notices.push_back(fmt::format("stop time {} s, as {} suggests", *stop, who));
  } else if (start_given && system::has_fmus(description)) {
    const auto named = std::ranges::find(description.subsystems, who, &Subsystem::name);
    const double length = stop ? *stop - named->suggested.start.value_or(0.0) : 1.0;
    if (!(length > 0.0)) return;
    experiment.stop = experiment.start + length;
    description.notices.push_back(fmt::format("stop time {} s, {} s after the start, {}", *experiment.stop, length,
                                              stop ? "as long as " + who + " suggests" : "the default of FMI"));
  }
}

/// Times that the user did not give: what the FMUs suggest; for the step, else a five-hundredth of the experiment, both
/// in whole internal steps. Of a step that is to be chosen it is only where the search begins.
void suggest_times(SystemDescription& description) {
  std::string who;
  suggest_start(description);
  if (!description.experiment.stop) suggest_stop(description);
  const bool chosen_later = description.plan.auto_step.has_value();
  if (description.plan.step && chosen_later)
    description.plan.step = whole_internal_steps(description, *description.plan.step);
  if (description.plan.step) return;
  auto wanted = smallest_suggestion(description, &system::SuggestedTimes::step, who);
  std::string why = fmt::format("as {} suggests", who);
  if (!wanted && description.experiment.stop && (chosen_later || system::has_fmus(description))) {
    wanted = (*description.experiment.stop - description.experiment.start) / 500.0;
    why = "a five-hundredth of the experiment, since no FMU suggests one";
  }
  if (!wanted) return;
  description.plan.step = whole_internal_steps(description, *wanted);
  if (*description.plan.step != *wanted) why = "whole internal steps of the FMUs";
  if (!chosen_later) description.notices.push_back(fmt::format("macro step {} s, {}", *description.plan.step, why));
}

}  // namespace

void describe(SystemDescription& description, base::Problems& problems, ModelCache* cache) {
  ModelCache none;
  for (std::size_t i = 0; i < description.subsystems.size(); ++i) {
    const Kind* const kind = kind_of(description.subsystems[i]);
    if (kind) kind->describe(description, i, cache ? *cache : none, problems);
  }
  check_single_instances(description, problems);
  suggest_times(description);
}

std::vector<assembly::Drive> Surroundings::drives_of(int sink, double solver_step) const {
  std::vector<assembly::Drive> drives;
  for (const system::Connection* connection : connections_to[static_cast<std::size_t>(sink)]) {
    const auto source = static_cast<std::size_t>(connection->from.subsystem);
    if (!description.subsystems[source].is_signal) continue;
    auto signal = models[source]->signals[static_cast<std::size_t>(connection->from.port)];
    if (auto fitted = signal->fitted(solver_step)) signal = std::move(fitted);
    drives.push_back({connection->to.port, std::move(signal), connection->gain, connection->offset});
  }
  return drives;
}

namespace {

Member make_member(const Surroundings& around, int index, base::Problems& problems) {
  const Subsystem& subsystem = around.subsystem(index);
  Member member;
  member.name = subsystem.name;
  member.inputs = subsystem.inputs;
  member.outputs = subsystem.outputs;
  if (around.options.in_its_place) member.subsystem = around.options.in_its_place(index);
  if (member.subsystem) {
    member.drives = around.drives_of(index, around.own_step(index));
  } else if (const Kind* const kind = kind_of(subsystem); kind && kind->make) {
    kind->make(around, index, member, problems);
  }
  return member;
}

assembly::DiscreteWire discrete_wire(const assembly::Wire& wire, const SystemDescription& description) {
  const Subsystem& source = description.subsystems[static_cast<std::size_t>(wire.from)];
  const Subsystem& sink = description.subsystems[static_cast<std::size_t>(wire.to)];
  assembly::DiscreteWire result;
  result.ends = wire;
  result.from = source.outputs[static_cast<std::size_t>(wire.output)].type;
  result.to = sink.inputs[static_cast<std::size_t>(wire.input)].type;
  result.sent = wire.output - static_cast<int>(system::count_reals(source.outputs));
  const bool into_real = result.to == system::PortType::real;
  result.received = into_real ? wire.input : wire.input - static_cast<int>(system::count_reals(sink.inputs));
  return result;
}

}  // namespace

std::optional<Assembly> assemble(const SystemDescription& description, const system::Plan& plan,
                                 const FmuOptions& options, base::Problems& problems) {
  const std::size_t before = problems.size();
  Surroundings around{description, plan, options};
  around.connections_to.resize(description.subsystems.size());
  for (const system::Connection& connection : description.connections)
    around.connections_to[static_cast<std::size_t>(connection.to.subsystem)].push_back(&connection);
  ModelCache none;
  ModelCache& cache = options.cache ? *options.cache : none;
  const int count = static_cast<int>(description.subsystems.size());
  for (int i = 0; i < count; ++i) {
    const Subsystem& subsystem = around.subsystem(i);
    const MakeContext context{subsystem.solver_step.value_or(around.own_step(i)),
                              {description.folder, description.opened_folders}};
    around.models.push_back(subsystem.model() ? cache.model(static_cast<std::size_t>(i), subsystem, context, problems)
                                              : nullptr);
  }
  if (problems.size() > before) return std::nullopt;
  Assembly assembly;
  assembly.connections = description.connections;
  for (int i = 0; i < count; ++i) assembly.members.push_back(make_member(around, i, problems));
  if (problems.size() > before) return std::nullopt;
  for (std::size_t c = 0; c < description.connections.size(); ++c) {
    const system::Connection& connection = description.connections[c];
    const Subsystem& source = description.subsystems[static_cast<std::size_t>(connection.from.subsystem)];
    if (source.is_signal) continue;
    const assembly::Wire wire{static_cast<int>(c),     connection.from.subsystem, connection.from.port,
                              connection.to.subsystem, connection.to.port,        connection.gain,
                              connection.offset};
    if (source.outputs[static_cast<std::size_t>(wire.output)].type == system::PortType::real) {
      assembly.wires.push_back(wire);
    } else {
      assembly.discrete_wires.push_back(discrete_wire(wire, description));
      assembly.discrete_wires.back().map = connection.map;
    }
  }
  return assembly;
}

}  // namespace seam::load
