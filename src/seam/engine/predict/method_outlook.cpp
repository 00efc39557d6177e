#include "seam/engine/predict/method_outlook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "seam/base/error.hpp"
#include "seam/base/in_parallel.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/coupling/catalog.hpp"

namespace seam::engine {
namespace {

using system::Feedthrough;
using system::Plan;

/// All connections by one method, all subsystems one way, as far as they can.
struct Choice {
  std::string coupling;
  std::optional<Feedthrough> feedthrough;  ///< none: the plan as it is
};

Plan chosen(const Rehearsal& rehearsal, Plan plan, const Choice& choice) {
  if (!choice.feedthrough) return plan;
  const system::Coupling coupling = coupling_named(choice.coupling);
  for (system::Coupling& connection : plan.connections) connection = coupling;
  plan.corrector = {};
  return rehearsal.with_feedthrough(std::move(plan), *choice.feedthrough);
}

bool sends_alike(const Plan& a, const Plan& b) {
  return std::ranges::equal(a.subsystems, b.subsystems, {}, &system::SubsystemPlan::feedthrough,
                            &system::SubsystemPlan::feedthrough);
}

/// The one method of a plan; empty if connections or subsystems differ.
std::string coupling_of(const Plan& plan) {
  if (plan.connections.empty()) return "none";
  const std::string first = coupling::describe(plan.connections.front());
  const auto same = [&](const system::Coupling& coupling) { return coupling::describe(coupling) == first; };
  const std::string holds = std::all_of(plan.connections.begin(), plan.connections.end(), same) ? first : "mixed";
  return plan.corrector.name.empty() ? holds : holds + " with " + coupling::describe(plan.corrector);
}

std::optional<Feedthrough> feedthrough_of(const Plan& plan) {
  const auto way = [&](const system::SubsystemPlan& s) { return s.feedthrough == plan.subsystems.front().feedthrough; };
  if (plan.subsystems.empty() || !std::all_of(plan.subsystems.begin(), plan.subsystems.end(), way)) return std::nullopt;
  return plan.subsystems.front().feedthrough;
}

std::vector<analysis::Complex> poles_of(const Rehearsal& rehearsal) {
  return rehearsal.equation_poles().all.value_or(std::vector<analysis::Complex>{});
}

/// One a plan, all at the operating point of the rehearsal; none where it is not known.
std::vector<std::optional<double>> errors_of(const Rehearsal& rehearsal, const std::vector<Plan>& asked,
                                             const analysis::Band& band) {
  std::vector<Live> lives;
  for (const Plan& plan : asked) lives.push_back(rehearsal.live(plan));
  coupling::start(lives.front().program);
  std::string reason;
  const double start = rehearsal.system().description.experiment.start;
  const auto linear = analysis::linear_parts(*lives.front().assembly, start, reason);
  std::vector<std::optional<double>> errors(asked.size());
  if (!linear) return errors;
  base::in_parallel(lives.size(), [&](std::size_t i) {
    errors[i] = analysis::predict_worst_error(lives[i].program, *linear, {poles_of(rehearsal), band});
  });
  return errors;
}

/// Above this size the plan's own step is all that is looked at.
constexpr std::size_t largest_scanned = 600;

/// How many numbers a macro step hands to the next.
std::size_t size_of(const coupling::Program& program) {
  std::size_t size = program.signals.size();
  for (const coupling::Lane& lane : program.lanes) size += lane.subsystem->states().size();
  return size;
}

/// The larger the system, the dearer a look at one step (its eigenvalues: n^3), and the fewer can be taken.
analysis::StepRange range_around(double step, std::size_t size, GapLooks looks) {
  if (size <= 60) {
    const int affordable = static_cast<int>(5e6 / static_cast<double>(std::max<std::size_t>(size * size * size, 1)));
    return {step / 100.0, step * 100.0, {}, 40, 1e-11, std::min(static_cast<int>(looks), affordable)};
  }
  if (size <= 150) return {step / 30.0, step * 30.0, {}, 20};
  return {step / 10.0, step * 10.0, {}, 6};
}

/// Whether filters are designed anew for every step: then its modes are not smooth in it.
bool is_designed(const Plan& plan) { return std::ranges::any_of(plan.connections, coupling::has_filters); }

/// All but the expected error.
MethodOutlook look_at(const Rehearsal& rehearsal, const Choice& choice) {
  const Plan& plan = rehearsal.system().plan;
  MethodOutlook result;
  result.coupling = choice.feedthrough ? choice.coupling : coupling_of(plan);
  result.feedthrough = choice.feedthrough.value_or(feedthrough_of(plan).value_or(Feedthrough::held));
  result.of_the_plan = !choice.feedthrough;
  try {
    rehearsal.live(chosen(rehearsal, plan, choice));
  } catch (const base::ProblemsFound& found) {
    result.impossible = found.problems().all().front().what;
    return result;
  } catch (const base::Error& error) {  // a model does not tell these calls
    result.impossible = error.what();
    return result;
  }
  result.radius = radius_of(rehearsal, chosen(rehearsal, plan, choice));
  const PlanAt plan_at = [&](double step) { return chosen(rehearsal, rehearsal.with_step(step), choice); };
  result.steps = stable_steps_of(rehearsal, plan_at, choice.feedthrough ? GapLooks::few : GapLooks::many);
  return result;
}

/// The plan as it is, and what else is to be looked at; nothing twice.
std::vector<Choice> choices_for(const Rehearsal& rehearsal, Methods methods) {
  std::vector<Choice> choices = {{}};
  if (methods == Methods::of_the_plan) return choices;
  const Plan& plan = rehearsal.system().plan;
  const bool two_ways = feeds_through(*rehearsal.live(plan).assembly);
  const std::string own = coupling_of(plan);
  for (const Feedthrough way : {Feedthrough::held, Feedthrough::fresh}) {
    if (way == Feedthrough::fresh && !two_ways) continue;
    for (const std::string& name : coupling::names(coupling::Part::coupling)) {
      const bool is_own = name == own && (!two_ways || sends_alike(plan, rehearsal.with_feedthrough(plan, way)));
      if (!is_own) choices.push_back({name, way});
    }
  }
  return choices;
}

std::string words(const MethodOutlook& method) {
  return fmt::format("{}, feed-through {}", method.coupling,
                     method.feedthrough == Feedthrough::held ? "held" : "fresh");
}

}  // namespace

system::Coupling coupling_named(const std::string& name) {
  base::Problems problems;
  system::CouplingRequest request;
  request.coupling.emplace();
  request.coupling->name = name;
  return coupling::complete(request, problems);
}

bool feeds_through(const assembly::Assembly& assembly) {
  return std::any_of(assembly.wires.begin(), assembly.wires.end(), [&](const assembly::Wire& wire) {
    const assembly::Member& member = assembly.members[static_cast<std::size_t>(wire.from)];
    const auto heard = [&](const assembly::Wire& into) {
      return into.to == wire.from && member.subsystem->feeds_through(wire.output, into.input);
    };
    return member.subsystem && member.subsystem->capabilities().can_evaluate &&
           std::any_of(assembly.wires.begin(), assembly.wires.end(), heard);
  });
}

std::string percent(double error) {
  return error < 0.001 ? fmt::format("{:.1e}", error) : fmt::format("{:.2g} %", 100.0 * error);
}

Rehearsal linear_rehearsal(const System& system, const Outlook& outlook) {
  return {system, outlook.models, outlook.models.empty() ? Rehearsal::Replaced::fmus : Rehearsal::Replaced::nonlinear};
}

std::optional<analysis::StepModes> modes_of(const Rehearsal& rehearsal, const Plan& plan) {
  try {
    const Live live = rehearsal.live(plan);
    return analysis::step_modes(live.program, coupling::start(live.program), rehearsal.equation_poles(),
                                rehearsal.unsure_eigenvalues());
  } catch (const base::ProblemsFound&) {  // this step does not fit
  } catch (const base::Error&) {          // a model does not tell this step, or an initial loop has no solution
  }
  return std::nullopt;
}

std::optional<double> radius_of(const Rehearsal& rehearsal, const Plan& plan) {
  const auto modes = modes_of(rehearsal, plan);
  return modes ? std::optional(modes->radius) : std::nullopt;
}

double uncertainty_of(const Rehearsal& rehearsal, const Plan& plan, double radius) {
  std::map<std::size_t, double> furthest;
  rehearsal.try_records([&](std::size_t stand_in, const Rehearsal& changed) {
    const auto found = radius_of(changed, plan);
    const double away = found ? std::abs(*found - radius) : std::numeric_limits<double>::infinity();
    furthest[stand_in] = std::max(furthest[stand_in], away);
  });
  // what is not linear moves a model in proportion to the motion, or by a higher power: between motions of one size and
  // of twice that it changes by as much as it is off at the first, or by more
  constexpr double margin = 2.0;
  double sum = 0.0;
  for (const auto& [stand_in, away] : furthest) sum += margin * away;
  return sum;
}

std::optional<analysis::StableSteps> stable_steps_of(const Rehearsal& rehearsal, const PlanAt& plan_at,
                                                     GapLooks looks) {
  const double step = rehearsal.system().plan.step;
  const std::size_t size = size_of(rehearsal.live(plan_at(step)).program);
  if (size > largest_scanned) return std::nullopt;
  analysis::StepRange range = range_around(step, size, looks);
  if (const auto unit = rehearsal.step_unit(); unit && *unit > 0.0) range.unit = unit;
  if (is_designed(plan_at(step))) range.gap_looks = 0;
  const analysis::ModesAt modes = [&](double at) { return modes_of(rehearsal, plan_at(at)); };
  if (rehearsal.probes()) {
    range.from = std::max(range.from, step / 30.0);  // longer calls take their time
    range.to = std::min(range.to, step * 10.0);
    if (!range.unit) {
      modes(range.from);  // first the ends: between calls that equations make nothing else need be probed
      modes(range.to);
    }
    if (!rehearsal.is_made_of_equations()) {
      range.points_a_decade = 10;
      range.resolution = 1e-3;
      range.gap_looks = 0;
    }
  }
  return analysis::stable_steps(modes, range);
}

std::vector<MethodOutlook> compare_methods(const Rehearsal& rehearsal, Methods methods,
                                           const std::optional<analysis::Band>& band,
                                           const std::function<void(double fraction)>& progress) {
  const Plan& plan = rehearsal.system().plan;
  const std::vector<Choice> choices = choices_for(rehearsal, methods);
  rehearsal.equation_poles();  // before threads ask for them
  std::vector<MethodOutlook> result(choices.size());
  std::mutex telling;
  std::size_t done = 0;
  const auto look = [&](std::size_t i) {
    const std::size_t at = choices.size() - 1 - i;  // those with filters take longest and stand last
    result[at] = look_at(rehearsal, choices[at]);
    const std::lock_guard lock(telling);
    if (progress) progress(static_cast<double>(++done) / static_cast<double>(choices.size()));
  };
  if (rehearsal.probes()) {  // FMUs may want one thread
    for (std::size_t i = 0; i < choices.size(); ++i) look(i);
  } else {
    base::in_parallel(choices.size(), look);
  }
  std::vector<Plan> stable;
  std::vector<MethodOutlook*> owners;
  for (std::size_t i = 0; band && i < choices.size(); ++i) {
    if (!result[i].stable()) continue;
    stable.push_back(chosen(rehearsal, plan, choices[i]));
    owners.push_back(&result[i]);
  }
  if (!stable.empty()) {
    const auto errors = errors_of(rehearsal, stable, *band);
    for (std::size_t i = 0; i < owners.size(); ++i) owners[i]->error = errors[i];
  }
  std::erase_if(result, [](const MethodOutlook& method) {  // not asked for, and not possible
    return !method.impossible.empty() && !method.of_the_plan;
  });
  return result;
}

SweepPoint outlook_of(const Rehearsal& rehearsal, const Plan& plan, const std::optional<analysis::Band>& band) {
  SweepPoint point{plan.step, radius_of(rehearsal, plan), {}};
  if (point.radius && rehearsal.is_nonlinear()) point.uncertainty = uncertainty_of(rehearsal, plan, *point.radius);
  if (band && point.stable()) point.error = errors_of(rehearsal, {plan}, *band).front();
  return point;
}

analysis::Band band_for(const System& system, const analysis::Stability& stability,
                        const std::optional<analysis::Band>& asked) {
  if (asked) return *asked;
  std::optional<analysis::Band> band;
  if (stability.monolithic_poles) band = analysis::band_of_motion(*stability.monolithic_poles);
  return band.value_or(analysis::Band{0.001 / system.plan.step, 0.1 / system.plan.step});
}

Plan plan_of(const Rehearsal& rehearsal, const MethodOutlook& method, double step) {
  const Choice choice = method.of_the_plan ? Choice{} : Choice{method.coupling, method.feedthrough};
  return chosen(rehearsal, rehearsal.with_step(step), choice);
}

std::optional<Recommendation> recommend(const System& system, const Outlook& outlook) {
  const auto& methods = outlook.methods;
  if (methods.empty() || !methods.front().impossible.empty()) return std::nullopt;
  const MethodOutlook& own = methods.front();
  if (own.stable() && !system.plan.corrector.name.empty() && !own.error) return std::nullopt;  // models are learned
  const double step = system.plan.step;
  const MethodOutlook* best = nullptr;  // at this step
  for (const MethodOutlook& method : methods) {
    if (!method.stable() || !method.error) continue;
    if (!best || *method.error < *best->error) best = &method;
  }
  if (own.stable() && own.error && (!best || *best->error > 0.3 * *own.error))
    return Recommendation{own.coupling, own.feedthrough, step,
                          fmt::format("the plan is stable, and no other method is much more accurate at this step "
                                      "(expected error {})",
                                      percent(*own.error)),
                          true};
  if (best)
    return Recommendation{best->coupling, best->feedthrough, step,
                          fmt::format("at the same step {} {} and has an expected error of {}", words(*best),
                                      own.stable() ? "is stable, too," : "is stable", percent(*best->error)),
                          best == &own};
  const MethodOutlook* longest = nullptr;
  for (const MethodOutlook& method : methods) {
    if (!method.steps || !method.steps->first_loss()) continue;
    if (!longest || *method.steps->first_loss() > *longest->steps->first_loss()) longest = &method;
  }
  if (!longest) return std::nullopt;
  const double limit = *longest->steps->first_loss();
  return Recommendation{longest->coupling, longest->feedthrough, 0.5 * limit,
                        fmt::format("no method is stable at this step; {} is stable up to {:.4g} s, and half of that "
                                    "leaves room",
                                    words(*longest), limit),
                        false};
}

}  // namespace seam::engine
