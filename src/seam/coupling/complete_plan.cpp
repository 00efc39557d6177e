#include "seam/coupling/complete_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/grid.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/turns.hpp"
#include "seam/system/resolve.hpp"

namespace seam::coupling {
namespace {

/// How finely a subsystem is split by default: by its own solver step if that is finer than the macro step, else
/// in ten.
double default_micro_step(const system::Subsystem& subsystem, double macro_step) {
  if (subsystem.solver_step && *subsystem.solver_step < macro_step &&
      base::divide(macro_step, *subsystem.solver_step).exact) {
    return *subsystem.solver_step;
  }
  return macro_step / 10.0;
}

/// The macro step of a subsystem in steps of the plan.
int multiple_of(const system::Subsystem& subsystem, const system::SubsystemPlanRequest& request,
                const system::PlanRequest& plan, base::Problems& problems) {
  constexpr base::Tick most = 1'000'000;
  const double step = *plan.step;
  if (!request.step) return 1;
  if (plan.auto_step) {
    problems.add(request.step_where,
                 fmt::format("\"{}\" has a step of its own, and the plan's step is still to be chosen", subsystem.name),
                 "give the plan's step, or leave this one out");
    return 1;
  }
  const base::Division division = base::divide(*request.step, step);
  if (subsystem.is_signal) {
    problems.add(request.step_where, fmt::format("\"{}\" is a known signal and does not step", subsystem.name));
  } else if (!division.exact || division.whole < 1 || division.whole > most) {
    problems.add(request.step_where,
                 fmt::format("the step {} s of \"{}\" is not a whole multiple of the plan's step {} s", *request.step,
                             subsystem.name, step),
                 "the plan's step is the shortest; all others are 1, 2, 3, … times that");
  } else {
    return static_cast<int>(division.whole);
  }
  return 1;
}

/// The way an FMU's inputs vary inside a step: what was asked for, if it offers that, else the best that it offers.
void choose_via(const system::Subsystem& subsystem, const system::SubsystemPlanRequest& request,
                system::SubsystemPlan& entry, base::Problems& problems) {
  using system::Via;
  const system::FmuFile* const fmu = subsystem.fmu();
  if (!fmu) {
    if (request.via)
      problems.add(request.via_where, "\"" + subsystem.name + "\" is no FMU and follows its inputs by itself",
                   "leave via out");
    return;
  }
  const Via asked = request.via.value_or(fmu->via);
  const base::Location& where = request.via ? request.via_where : fmu->via_where;
  if (fmu->interface == system::FmuInterface::model_exchange) {
    if (asked != Via::automatic)
      problems.add(where, "\"" + subsystem.name + "\" is used for model exchange and follows its inputs by itself",
                   "leave via out");
    return;
  }
  const auto refuse = [&](const std::string& lacks) {
    problems.add(where, "\"" + subsystem.name + "\" cannot take its inputs via " + system::word(asked) + ": " + lacks,
                 "micro-steps and hold work with every FMU");
  };
  if (asked == Via::derivatives && !fmu->offered.derivatives)
    refuse("the FMU does not offer canInterpolateInputs (FMI 2)");
  if (asked == Via::intermediate && !fmu->offered.intermediate)
    refuse("the FMU offers no intermediate update (FMI 3) of its inputs");
  entry.via_choice = asked == Via::automatic ? system::SubsystemPlan::ViaChoice::of_seam
                                             : system::SubsystemPlan::ViaChoice::of_the_user;
  entry.via = asked != Via::automatic     ? asked
              : fmu->offered.derivatives  ? Via::derivatives
              : fmu->offered.intermediate ? Via::intermediate
                                          : Via::micro_steps;
}

/// A filter that is asked for by the name of its connection must be possible. By a pattern or by default, what is not a
/// signal in time is passed on as sent.
void check_is_signal(const system::SystemDescription& description, std::size_t index, const std::string& coupling,
                     base::Problems& problems) {
  const system::Connection& connection = description.connections[index];
  const auto& requests = description.plan.connections;
  const auto by_name = std::find_if(requests.begin(), requests.end(),
                                    [&](const auto& request) { return request.pattern == connection.to.text; });
  if (by_name == requests.end()) return;
  const auto port = [&](const system::PortPath& path, const auto& ports) -> const system::Port* {
    if (path.subsystem < 0 || path.port < 0) return nullptr;
    return &(description.subsystems[static_cast<std::size_t>(path.subsystem)].*
             ports)[static_cast<std::size_t>(path.port)];
  };
  for (const auto& [path, found] : {std::pair{&connection.from, port(connection.from, &system::Subsystem::outputs)},
                                    {&connection.to, port(connection.to, &system::Subsystem::inputs)}}) {
    if (!found || (found->type == system::PortType::real && found->variability == system::Variability::continuous))
      continue;
    problems.add(by_name->where,
                 fmt::format("\"{}\" is not possible on {}: {} is discrete, and filters need signals in time", coupling,
                             connection.to.text, path->text),
                 "leave this coupling out: discrete values are passed on as sent");
    return;
  }
}

/// The default in the place of a coupling that analysis has still to choose.
system::CouplingRequest undecided(const system::CouplingRequest& request, base::Problems& problems) {
  for (const system::Setting& given : request.coupling->parameters)
    problems.add(given.where, fmt::format("\"auto\" has no parameter \"{}\"", given.name),
                 "name a method to give it parameters");
  return {};
}

/// Most connections follow one and the same request, which is completed once.
void complete_couplings(const system::SystemDescription& description,
                        const std::vector<const system::CouplingRequest*>& requests, system::Plan& plan,
                        base::Problems& problems) {
  plan.connections.reserve(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto before =
        static_cast<std::size_t>(std::find(requests.begin(), requests.end(), requests[i]) - requests.begin());
    const system::CouplingRequest& request = *requests[i];
    plan.connections.push_back(before < i          ? plan.connections[before]
                               : request.is_auto() ? complete(undecided(request, problems), problems)
                                                   : complete(request, problems));
    if (has_filters(plan.connections.back())) check_is_signal(description, i, plan.connections.back().name, problems);
  }
}

}  // namespace

std::optional<system::Plan> complete_plan(const system::SystemDescription& description, base::Problems& problems) {
  const std::size_t before = problems.size();
  // a step that could not be read was complained about already; FMUs that could not be read suggest none
  const bool is_consequence = before > 0 && (description.subsystems.empty() || system::has_fmus(description));
  if (!description.plan.step && description.plan.step_where.line == 0 && !is_consequence) {
    if (system::has_fmus(description))  // of an experiment that has an end the step would follow
      problems.add(description.where, "the stop time is not given, and no FMU suggests one",
                   "give --stop 10s; the macro step is then a five-hundredth of it, unless --step gives one");
    else
      problems.add(description.where, "the macro step is not given", "write `plan: {step: 1 ms}` or give --step 1ms");
  }
  if (!description.plan.step && description.plan.auto_step)
    problems.add(description.plan.step_where,
                 "where to look for a macro step is not known, since there is no stop time",
                 "write `step: {auto: {around: 1 ms}}` or give --stop");
  const system::RequestedPlan requested = system::spread(description, problems);
  if (problems.size() > before || !description.plan.step) return std::nullopt;

  system::Plan plan;
  plan.step = *description.plan.step;
  plan.events = description.plan.events.value_or(system::Events::local);
  plan.events_where = description.plan.events_where;
  plan.threads = description.plan.threads.value_or(system::Threads{});
  for (std::size_t i = 0; i < description.subsystems.size(); ++i) {
    const system::SubsystemPlanRequest& request = requested.subsystems[i];
    system::SubsystemPlan entry;
    entry.multiple = multiple_of(description.subsystems[i], request, description.plan, problems);
    entry.micro_step =
        request.micro_step.value_or(default_micro_step(description.subsystems[i], entry.multiple * plan.step));
    entry.feedthrough = request.feedthrough.value_or(description.plan.feedthrough.value_or(system::Feedthrough::held));
    entry.feedthrough_where = request.feedthrough ? request.feedthrough_where : description.plan.feedthrough_where;
    choose_via(description.subsystems[i], request, entry, problems);
    plan.subsystems.push_back(entry);
  }
  if (description.plan.schedule && description.plan.schedule->kind == system::Schedule::Kind::gauss_seidel) {
    plan.schedule = system::Schedule::Kind::gauss_seidel;
    plan.order = choose_turns(description, problems);
  }
  complete_couplings(description, requested.connections, plan, problems);
  if (description.plan.corrector) plan.corrector = complete_corrector(*description.plan.corrector, problems);
  if (!plan.corrector.over.empty()) plan.corrector.connections = requested.corrected;
  if (problems.size() > before) return std::nullopt;
  return plan;
}

}  // namespace seam::coupling
