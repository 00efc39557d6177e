
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "seam/analysis/complete_compensators.hpp"
#include "seam/engine/predict/held_feedthrough.hpp"
#include "seam/report/analysis_report.hpp"
#include "seam/report/plan_words.hpp"

namespace seam::report {
namespace {

using analysis::StableSteps;
using engine::MethodOutlook;
using engine::Outlook;

constexpr double two_pi = 2.0 * std::numbers::pi;
constexpr std::size_t readable = 6;  // connections and loops in the text; --json has them all

std::string error_words(const std::optional<double>& error) {
  if (!error) return "-";
  return *error < 1e-3 ? fmt::format("{:.1e}", *error) : fmt::format("{:.2g} %", 100.0 * *error);
}

/// "up to 24.96 ms, 60 to 70 ms", "every one up to 1 s", "none".
std::string interval_words(const StableSteps& steps) {
  if (steps.throughout()) return fmt::format("every one up to {}", time_words(steps.examined.to));
  if (steps.intervals.empty()) return "none";
  std::string text;
  for (const StableSteps::Interval& interval : steps.intervals) {
    const bool from_the_smallest = interval.from <= steps.examined.from;
    text += text.empty() ? "" : ", ";
    text += from_the_smallest ? fmt::format("up to {}", time_words(interval.to))
                              : fmt::format("{} to {}", time_words(interval.from), time_words(interval.to));
  }
  return text;
}

bool is_searched(const StableSteps& steps) {
  return steps.intervals.empty() || steps.searched_to.value_or(0.0) >= steps.intervals.back().to;
}

std::string step_words(const StableSteps& steps) {
  if (is_searched(steps)) return interval_words(steps);
  return interval_words(steps) +
         (steps.searched_to ? fmt::format("; searched to {}", time_words(*steps.searched_to)) : "; not searched");
}

/// How far the ranges of the table can be relied on.
std::string gap_words(const std::vector<MethodOutlook>& methods) {
  const auto is_known = [](const MethodOutlook& method) { return method.steps && !method.steps->intervals.empty(); };
  const auto is_scanned = [&](const MethodOutlook& method) { return is_known(method) && !is_searched(*method.steps); };
  if (std::ranges::none_of(methods, is_known)) return {};
  std::string text = "  these ranges were searched for gaps, down to 0.2 % of a step";
  if (const auto found = std::ranges::find_if(methods, is_scanned); found != methods.end()) {
    const int most = found->steps->examined.points_a_decade, least = std::min(10, most);
    const std::string count = most > least ? fmt::format("{} to {}", least, most) : fmt::format("{}", most);
    text += fmt::format("; where not, {} steps a decade were examined", count);
  }
  return text + "\n";
}

std::string method_table(const Outlook& outlook) {
  if (outlook.methods.empty()) return {};
  std::string text =
      fmt::format("\n  {:<28}  {:>14}  {:>14}  {}\n", "method", "radius", "expected error", "stable at steps");
  for (const MethodOutlook& method : outlook.methods) {
    const std::string name =
        fmt::format("{}, {}{}", method.coupling, word(method.feedthrough), method.of_the_plan ? " (the plan)" : "");
    text += fmt::format("  {:<28}  {:>14}  {:>14}  {}\n", name,
                        method.radius ? fmt::format("{:.8f}", *method.radius) : "-", error_words(method.error),
                        !method.impossible.empty() ? method.impossible
                        : !method.steps            ? "not examined: too large"
                        : method.steps->intervals.empty() && outlook.stability && outlook.stability->undamped_pole()
                            ? "none: the coupled equations themselves do not decay"
                            : step_words(*method.steps));
  }
  return text + gap_words(outlook.methods);
}

std::string more_words(std::size_t all, std::size_t shown) {
  return all > shown ? fmt::format("    … and {} more\n", all - shown) : "";
}

std::string participant_words(const Outlook& outlook) {
  if (outlook.participants.empty()) return {};
  std::string text;
  std::size_t shown = 0;
  for (const analysis::Participant& participant : outlook.participants) {
    if (shown == readable || (shown > 0 && participant.share < 0.05)) break;
    text += fmt::format("{}{} ({:.0f} %)", shown++ > 0 ? ", " : "", participant.subsystem, 100.0 * participant.share);
  }
  const auto others = static_cast<std::size_t>(
      std::count_if(outlook.participants.begin() + static_cast<std::ptrdiff_t>(shown), outlook.participants.end(),
                    [&](const auto& one) { return one.share > 0.5 * outlook.participants[shown - 1].share; }));
  if (others > 0) text += fmt::format(" and, almost as much, {} more", others);
  return "  it is a motion of " + text + "\n";
}

std::string margin_words(const engine::ConnectionOutlook& connection) {
  if (!connection.margins) return connection.reason;
  const analysis::Margins& margins = *connection.margins;
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  constexpr double as_good_as_any = 1e6;  // further out is rounding
  if (margins.gain_up && *margins.gain_up < as_good_as_any)
    add(fmt::format("gain may grow by {:.4g} ({:.4g} Hz)", *margins.gain_up, margins.gain_up_frequency));
  if (margins.gain_down) add(fmt::format("gain may fall to {:.4g}", *margins.gain_down));
  if (margins.delay) add(fmt::format("{} more delay ({:.4g} Hz)", time_words(*margins.delay), margins.delay_frequency));
  return text.empty() ? "no gain up to a million times as large and no delay makes it unstable" : text;
}

std::string connection_table(const Outlook& outlook) {
  if (outlook.connections.empty()) return {};
  std::string text = "\n  from the most to the least sensitive connection:\n";
  const std::size_t shown = std::min(readable, outlook.connections.size());
  for (std::size_t i = 0; i < shown; ++i)
    text += fmt::format("    {}: {}\n", outlook.connections[i].connection, margin_words(outlook.connections[i]));
  return text + more_words(outlook.connections.size(), shown);
}

std::string loop_table(const Outlook& outlook) {
  if (outlook.loops.empty()) return {};
  std::string text = "\n  gain of the loop, cut at the outputs of a subsystem (below 1: stable with any delay):\n";
  const std::size_t shown = std::min(readable, outlook.loops.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const analysis::Loop& loop = outlook.loops[i];
    const std::string norm = std::isfinite(loop.peak.norm)
                                 ? fmt::format("{:.6g} at {:.4g} Hz", loop.peak.norm, loop.peak.frequency / two_pi)
                                 : std::string("without bound (a pole on or beyond the stability limit)");
    text += fmt::format("    through {}: {}; {:.4g} above a tenth of the Nyquist frequency\n", loop.name, norm,
                        loop.in_band);
  }
  return text + more_words(outlook.loops.size(), shown);
}

std::string passivity_words(const lti::Passivity& passivity) {
  switch (passivity.verdict) {
    case lti::Passivity::Verdict::passive:
      return "passive";
    case lti::Passivity::Verdict::lost:
      return fmt::format("not passive, at {:.4g} Hz", passivity.frequency / two_pi);
    case lti::Passivity::Verdict::unstable:
      break;
  }
  return "not passive: it gives out energy by itself";
}

bool is_passive(const analysis::PortPassivity& port) {
  return port.passivity && port.passivity->verdict == lti::Passivity::Verdict::passive;
}

/// Many sides are passive: they are counted, and the others are what one looks for.
std::string port_table(const Outlook& outlook) {
  if (outlook.ports.empty()) return {};
  std::string text = "\n  power bonds (two passive sides: energy that appears is the coupling's):\n";
  const auto passive = static_cast<std::size_t>(std::ranges::count_if(outlook.ports, is_passive));
  const bool counted = passive > readable;
  for (const analysis::PortPassivity& port : outlook.ports) {
    if (counted && is_passive(port)) continue;
    text += fmt::format("    {}, side of {}: {}\n", port.bond, port.subsystem,
                        port.passivity ? passivity_words(*port.passivity) : "not told: " + port.reason);
  }
  if (counted && passive == outlook.ports.size()) return text + fmt::format("    all {} sides are passive\n", passive);
  return counted ? text + fmt::format("    the other {} sides are passive\n", passive) : text;
}

/// What becomes of the verdict while the run goes on.
std::string later_words(const Outlook& outlook) {
  if (outlook.later.empty()) return {};
  const bool stable = outlook.stability->stable();
  std::string text;
  bool changes = false;
  for (const engine::LaterPoint& point : outlook.later) {
    changes = changes || (point.radius < 1.0) != stable;
    text += fmt::format("{}{:.8g} at {}", text.empty() ? "" : ", ", point.radius, time_words(point.time));
  }
  return fmt::format("  {}further on in this run the radius is {}\n",
                     changes ? "warning: it depends on the operating point: " : "", text);
}

std::string model_words(const Outlook& outlook) {
  std::string text;
  for (const analysis::SubsystemModel& model : outlook.models) {
    const auto tells = [&](const std::string& reason) { return reason.ends_with(": " + model.how); };
    if (std::ranges::any_of(outlook.unknown, tells)) continue;  // said already
    text += fmt::format("  {}: {}\n", model.name, model.how);
    for (const std::string& warning : model.warnings) text += fmt::format("    warning: {}\n", warning);
  }
  return text;
}

std::string accuracy_words(const Outlook& outlook) {
  if (!outlook.accuracy)
    return outlook.accuracy_reason.empty() ? "" : fmt::format("  expected error: {}\n", outlook.accuracy_reason);
  const analysis::Accuracy& accuracy = *outlook.accuracy;
  if (accuracy.outputs.empty()) return {};
  const auto unknown = std::count_if(accuracy.outputs.begin(), accuracy.outputs.end(),
                                     [](const analysis::NamedError& one) { return std::isnan(one.error); });
  return fmt::format(
      "  expected error: {} of the motion of {} (NRMSE, excitation from {:.3g} to {:.3g} Hz {}){}{}{}\n",
      error_words(accuracy.worst()), accuracy.outputs.front().name, accuracy.band.from, accuracy.band.to,
      accuracy.excitation,
      accuracy.connections.empty() ? "" : fmt::format("; most of it through {}", accuracy.connections.front().name),
      accuracy.of_solvers
          ? fmt::format("; the FMUs' own solvers, which no coupling can mend, add {}", error_words(accuracy.of_solvers))
          : "",
      unknown == 0 ? "" : fmt::format("; not known of {} output{}", unknown, unknown == 1 ? "" : "s"));
}

/// Outputs of co-simulation FMUs that could be sent with newer inputs.
std::string held_words(const engine::System& system, const Outlook& outlook) {
  const engine::HeldFeedthrough held = engine::held_feedthrough(system, outlook);
  std::string text;
  for (const engine::HeldPort& port : held.ports)
    text += fmt::format("  {} follows {} at once (by at most {:.3g}) and is sent held; {}\n", port.output,
                        fmt::join(port.inputs, ", "), port.gain,
                        port.ways.empty() ? std::string("the FMU offers no better way than a smaller step")
                                          : fmt::format("better: {}", fmt::join(port.ways, ", or ")));
  if (!held.ports.empty() && held.held && held.fresh)
    text += fmt::format("    expected error held {}, fresh {}\n", error_words(held.held), error_words(held.fresh));
  return text;
}

std::string sweep_table(const Outlook& outlook) {
  if (outlook.sweep.empty()) return {};
  std::string text = fmt::format("\n  {:>12}  {:>14}  {:>14}\n", "macro step", "radius", "expected error");
  for (const engine::SweepPoint& point : outlook.sweep) {
    text += fmt::format("  {:>12}  {:>14}  {:>14}\n", time_words(point.step),
                        point.radius ? fmt::format("{:.8f}", *point.radius) : "does not fit", error_words(point.error));
  }
  return text;
}

std::string not_known_text(const engine::System& system, const Outlook& outlook) {
  std::string text = fmt::format("{}: NOT KNOWN whether it is stable at a macro step of {} with {}, feed-through {}\n",
                                 system.description.name, time_words(system.plan.step), coupling_words(system.plan),
                                 feedthrough_words(system.plan));
  for (const std::string& reason : outlook.unknown) text += fmt::format("  {}\n", reason);
  if (outlook.stability)
    text += fmt::format(
        "  spectral radius of one macro step: {:.8g}, give or take {:.1g}: the models are not sure enough\n",
        outlook.stability->spectral_radius, outlook.uncertainty);
  return text;
}

std::string recommendation_words(const Outlook& outlook) {
  if (!outlook.recommendation) return {};
  const engine::Recommendation& advice = *outlook.recommendation;
  if (advice.keeps_the_plan) return fmt::format("\n  recommended: keep the plan; {}\n", advice.why);
  return fmt::format("\n  recommended: {}, feed-through {}, step {}: {}\n", advice.coupling, word(advice.feedthrough),
                     time_words(advice.step), advice.why);
}

/// One line a kind: most connections share one.
std::string compensator_words(const engine::System& system) {
  std::vector<std::pair<std::string, std::string>> kinds;  // what it is, and whose
  for (const analysis::PlannedCompensator& found : analysis::planned_compensators(system.description, system.plan)) {
    const analysis::CompensatorReport& report = found.report;
    const std::string what = fmt::format(
        "weighted error {:.3g}, sends a constant times {:.5g} and a jump times {:.4g}, worst pole |1 + h "
        "lambda| {:.4g}",
        report.error.norm, report.at_rest, report.at_jumps, report.worst_pole);
    const std::string& sink = system.description.connections[static_cast<std::size_t>(found.connection)].to.text;
    const auto kind = std::ranges::find_if(kinds, [&](const auto& known) { return known.first == what; });
    if (kind == kinds.end())
      kinds.emplace_back(what, sink);
    else
      kind->second += ", " + sink;
  }
  std::string text;
  for (const auto& [what, sinks] : kinds) text += fmt::format("  compensator of {}: {}\n", sinks, what);
  return text;
}

}  // namespace

std::string outlook_text(const engine::System& system, const Outlook& outlook) {
  if (!outlook.stability || outlook.verdict() == Outlook::Verdict::not_known)
    return not_known_text(system, outlook) + model_words(outlook) + method_table(outlook);
  std::string text = verdict_text(system, *outlook.stability, outlook.time) + later_words(outlook);
  if (outlook.uncertainty > 0.0)
    text += fmt::format("  give or take {:.1g}, from the spread of the models\n", outlook.uncertainty);
  return text + compensator_words(system) + participant_words(outlook) + accuracy_words(outlook) +
         held_words(system, outlook) + model_words(outlook) + recommendation_words(outlook) + method_table(outlook) +
         sweep_table(outlook) + connection_table(outlook) + loop_table(outlook) + port_table(outlook) +
         pole_text(*outlook.stability);
}

std::string tuned_text(const engine::Tuned& tuned, const std::string& file) {
  const std::string before = std::isfinite(tuned.error_before) ? error_words(tuned.error_before) : tuned.why_not_known;
  return fmt::format(
      "{}, feed-through {}, macro step {}: expected error {} (before: {})\nwritten to {}; use it with --plan {}\n",
      tuned.coupling, word(tuned.feedthrough), time_words(tuned.step), error_words(tuned.error), before, file, file);
}

}  // namespace seam::report
