#include "seam/engine/predict/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"
#include "seam/engine/open/new_system.hpp"
#include "seam/engine/predict/step_search.hpp"
#include "seam/engine/run/accounts.hpp"
#include "seam/engine/run/recording.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

const char* word(system::Feedthrough way) { return way == system::Feedthrough::held ? "held" : "fresh"; }

std::string header(const System& system, const TuneGoal& goal, const Tuned& tuned) {
  std::string text = fmt::format("# Written by seam tune for {}.\n", system.description.name);
  text += goal.error
              ? fmt::format("# Goal: an expected error of at most {:.3g} (NRMSE of the worst output).\n", *goal.error)
              : fmt::format("# Goal: the most accurate method at a macro step of {:.6g} s.\n", tuned.step);
  text +=
      fmt::format("# Expected error: {:.3g} with this plan, {} before.\n", tuned.error,
                  std::isfinite(tuned.error_before) ? fmt::format("{:.3g}", tuned.error_before) : tuned.why_not_known);
  text += fmt::format("# Spectral radius of one macro step: {:.10g}.", tuned.radius);
  if (tuned.largest_step)
    text += fmt::format(" Stable {}up to {:.6g} s.", tuned.stable_throughout ? "at least " : "", *tuned.largest_step);
  text += "\n# True for motions so small that the equations are linear, around the start of the experiment.\n";
  if (tuned.in_a_short_run)
    text += fmt::format("# In a short run of this plan the FMUs answer a disturbance as their models say, to {}.\n",
                        percent(*tuned.in_a_short_run));
  for (const FmuVersion& fmu : fmu_versions(system))
    text += fmt::format("# {}: {}, sha256 {}\n", fmu.subsystem, fmu.file, fmu.hash);
  return text;
}

/// Steps of their own, and outputs that cannot be sent fresh.
std::string subsystems_text(const Rehearsal& rehearsal, const Tuned& tuned) {
  const System& system = rehearsal.system();
  std::string text;
  for (std::size_t i = 0; i < system.plan.subsystems.size(); ++i) {
    const int multiple = system.plan.subsystems[i].multiple;
    std::vector<std::string> entries;
    if (multiple > 1) entries.push_back(fmt::format("step: {}", multiple * tuned.step));
    if (tuned.feedthrough == system::Feedthrough::fresh && !rehearsal.can_send_fresh(i))
      entries.emplace_back("feedthrough: held");
    if (!entries.empty())
      text += fmt::format("    {}: {{{}}}\n", system.description.subsystems[i].name, fmt::join(entries, ", "));
  }
  return text.empty() ? text : "  subsystems:\n" + text;
}

/// Sinks by name where the file says something of single connections, so that this plan wins over it.
std::string plan_text(const Rehearsal& rehearsal, const Tuned& tuned) {
  const System& system = rehearsal.system();
  std::string text = fmt::format("seam: 1\nplan:\n  step: {}\n  coupling: {}\n  feedthrough: {}\n", tuned.step,
                                 tuned.coupling, word(tuned.feedthrough));
  if (!system.plan.corrector.name.empty()) text += "  corrector: none\n";  // the error is expected without one
  text += subsystems_text(rehearsal, tuned);
  if (system.description.plan.connections.empty()) return text;
  text += "  connections:\n";
  for (const system::Connection& connection : system.description.connections)
    text += fmt::format("    \"{}\": {}\n", connection.to.text, tuned.coupling);
  return text;
}

/// A plan that was found, and how it does.
struct Found {
  MethodOutlook method;
  SweepPoint point;
};
struct AllFound {
  std::vector<Found> plans;  ///< the largest step first; or, of the plan's step, the smallest error first
  std::string nearest;       ///< how near to the error others come, in words
};

/// The methods that reach the error, or those that are stable at the plan's step.
AllFound all_found(const Rehearsal& rehearsal, const Outlook& outlook, const TuneGoal& goal,
                   const analysis::Band& band) {
  const system::Plan& own = rehearsal.system().plan;
  AllFound all;
  std::vector<std::pair<std::string, std::optional<SweepPoint>>> nearest;
  for (const MethodOutlook& method : outlook.methods) {
    if (!method.impossible.empty() || method.coupling == "mixed") continue;
    if (method.of_the_plan && !own.corrector.name.empty()) continue;  // the plan that is written has none
    const PlanAt plan_at = [&](double step) { return plan_of(rehearsal, method, step); };
    const StepFound found = goal.error ? largest_accurate_step(rehearsal, {plan_at, method.steps, band, *goal.error})
                                       : StepFound{SweepPoint{own.step, method.radius, method.error}, {}};
    nearest.emplace_back(method.coupling, found.nearest);
    if (found.point && found.point->error) all.plans.push_back({method, *found.point});
  }
  std::ranges::stable_sort(all.plans, [&](const Found& a, const Found& b) {
    return goal.error ? a.point.step > b.point.step * (1.0 + 1e-9) : *a.point.error < *b.point.error;
  });
  all.nearest = words_of_nearest(nearest);
  return all;
}

/// The first that is confirmed; what needs no confirmation is.
std::optional<Found> best_of(const Rehearsal& rehearsal, const TuneGoal& goal, const analysis::Band& band,
                             AllFound& all) {
  std::string why_not;
  for (const Found& found : all.plans) {
    if (!goal.error) return found;
    const PlanAt plan_at = [&](double step) { return plan_of(rehearsal, found.method, step); };
    const Confirmation confirmation = confirm(rehearsal, {plan_at, {}, band, *goal.error}, found.point, goal.outlook);
    if (confirmation.point) return Found{found.method, *confirmation.point};
    if (why_not.empty()) why_not = fmt::format("with {} {}", found.method.coupling, confirmation.why_not);
  }
  if (!why_not.empty()) all.nearest = why_not;
  return std::nullopt;
}

}  // namespace

Tuned tune(const System& system, const TuneGoal& goal) {
  OutlookRequest brief = goal.outlook;
  if (goal.error) brief.depth = OutlookRequest::Depth::plan;
  Outlook outlook = look_ahead(system, brief);
  if (!outlook.stability) cannot(system, "there is no plan to recommend", outlook.unknown.front());
  if (!outlook.accuracy && !outlook.accuracy_reason.empty() && outlook.methods.empty())
    cannot(system, "there is no plan to recommend", outlook.accuracy_reason);
  const MethodOutlook before = outlook.methods.front();
  const analysis::Band band = band_for(system, *outlook.stability, goal.outlook.band);
  System searched = system;
  if (goal.error) {
    searched.plan = plan_for_search(linear_rehearsal(system, outlook), band);
    outlook = look_ahead(searched, goal.outlook);
    if (!outlook.stability) cannot(system, "there is no plan to recommend", outlook.unknown.front());
  }
  const Rehearsal rehearsal = linear_rehearsal(searched, outlook);
  const analysis::Band& counted = goal.error ? band : outlook.band;
  AllFound all = all_found(rehearsal, outlook, goal, counted);
  const std::optional<Found> best = best_of(rehearsal, goal, counted, all);
  if (!best)
    cannot(system, "there is no plan to recommend",
           goal.error
               ? fmt::format("no method reaches an expected error of {:.3g} between {:.3g} and {:.3g} Hz (--band "
                             "says which frequencies count){}{}",
                             *goal.error, band.from, band.to, all.nearest.empty() ? "" : "; ", all.nearest)
               : "no method is stable at this step; give an accuracy with --target and the step is free");
  Tuned tuned{best->method.coupling,
              best->method.feedthrough,
              best->point.step,
              *best->point.error,
              best->point.radius.value_or(0.0),
              best->point.in_a_short_run,
              {},
              false,
              0.0,
              {},
              {}};
  if (best->method.steps) {
    tuned.largest_step = best->method.steps->first_loss();
    tuned.stable_throughout = best->method.steps->throughout();
  }
  tuned.error_before = before.error.value_or(std::numeric_limits<double>::infinity());
  tuned.why_not_known = before.stable() ? "not predicted" : "not stable";
  tuned.text = header(system, goal, tuned) + plan_text(rehearsal, tuned);
  return tuned;
}

void write_plan(const Tuned& tuned, const std::string& file, Existing existing) {
  if (existing == Existing::is_replaced) {
    formats::write_text(file, tuned.text);
  } else {
    write_new_file(file, tuned.text);
  }
}

std::string plan_file_name(const System& system) { return default_file(system, ".plan.yaml"); }

}  // namespace seam::engine
