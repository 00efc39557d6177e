#include "seam/report/analysis_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "seam/base/words.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/report/plan_words.hpp"

namespace seam::report {
namespace {

using analysis::Complex;
using analysis::Stability;
using engine::DesignComparison;
using engine::DesignOutlook;
using formats::Value;

Value pair(Complex z) { return Value::array({Value(z.real()), Value(z.imag())}); }

Value pairs(const std::vector<Complex>& numbers) { return Value::list(numbers, pair); }

std::string complex_words(Complex z) {
  if (std::abs(z.imag()) < 1e-12 * std::abs(z)) return fmt::format("{:.6g}", z.real());
  return fmt::format("{:.6g} {} {:.6g}i", z.real(), z.imag() < 0 ? "-" : "+", std::abs(z.imag()));
}

std::string verdict(const Stability& s) {
  if (s.marginal()) return "marginally stable";
  return s.stable() ? "stable" : "NOT stable";
}

/// What the largest eigenvalue does to the result.
std::string dominant_words(const Stability& s) {
  const char* others = s.structural.empty() ? "" : " apart from what is left out below";
  if (s.poles.empty() || !s.poles.front())
    return fmt::format("  every disturbance is gone after a few steps{}\n", others);
  const Complex pole = *s.poles.front();
  const double frequency = std::abs(pole.imag()) / (2.0 * std::numbers::pi);
  std::string motion = frequency > 0.0 ? fmt::format("an oscillation at {:.4g} Hz", frequency)
                                       : std::string("a motion without oscillation");
  if (s.eigenvalues.front().real() < 0.0 && s.eigenvalues.front().imag() == 0.0)
    motion = "an alternation from step to step";
  if (s.marginal()) return "  the slowest mode is " + motion + " that neither grows nor decays\n";
  const double doubling = std::numbers::ln2 / std::abs(pole.real());
  return fmt::format("  the slowest mode is {} that {} in {}\n", motion, s.stable() ? "halves" : "doubles",
                     time_words(doubling));
}

/// What no coupling can change.
std::string undamped_words(const Stability& s) {
  const auto pole = s.undamped_pole();
  if (!pole) return {};
  if (pole->real() > 1e-6 * std::abs(*pole))
    return fmt::format(
        "  the coupled equations themselves grow (pole {} 1/s, doubles in {}): no coupling can change that\n",
        complex_words(*pole), time_words(std::numbers::ln2 / pole->real()));
  return fmt::format(
      "  the coupled equations themselves do not decay (pole {} 1/s): any coupling error lets this mode grow or "
      "decay\n",
      complex_words(*pole));
}

/// For each monolithic pole the eigenvalue of the step it became: nearest to exp(lambda H), every eigenvalue given away
/// once, closest pairs first. The structural ones follow the others in the count.
std::vector<std::optional<std::size_t>> pair_up(const Stability& s, const std::vector<Complex>& eigenvalues,
                                                double macro_step) {
  struct Candidate {
    double distance;
    std::size_t pole, eigenvalue;
  };
  std::vector<Candidate> candidates;
  for (std::size_t p = 0; p < s.monolithic_poles->size(); ++p) {
    const Complex target = std::exp((*s.monolithic_poles)[p] * macro_step);
    for (std::size_t e = 0; e < eigenvalues.size(); ++e) {
      if (eigenvalues[e] != Complex{}) candidates.push_back({std::abs(eigenvalues[e] - target), p, e});
    }
  }
  std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  std::vector<std::optional<std::size_t>> found(s.monolithic_poles->size());
  std::vector<bool> taken(eigenvalues.size());
  for (const Candidate& c : candidates) {
    if (found[c.pole] || taken[c.eigenvalue]) continue;
    found[c.pole] = c.eigenvalue;
    taken[c.eigenvalue] = true;
  }
  return found;
}

std::string pole_table(const Stability& s, double macro_step) {
  if (!s.monolithic_poles) return "  no monolithic poles: " + s.monolithic_reason + "\n";
  if (s.monolithic_poles->empty()) return {};
  constexpr std::size_t readable = 20, widest = 400;
  if (s.monolithic_poles->size() > widest)
    return fmt::format("  {} monolithic poles; --json has them all\n", s.monolithic_poles->size());
  std::vector<Complex> eigenvalues = s.eigenvalues;
  for (const auto& structural : s.structural) eigenvalues.push_back(structural.value);
  const auto found = pair_up(s, eigenvalues, macro_step);
  std::string text =
      fmt::format("\n  {:>28}  {:>28}  {:>12}\n", "monolithic pole (1/s)", "becomes (1/s)", "shift of Re");
  std::size_t rows = 0;
  for (std::size_t p = 0; p < found.size(); ++p) {
    const Complex pole = (*s.monolithic_poles)[p];
    if (pole.imag() < 0.0) continue;  // the other one of the pair says the same
    if (++rows > readable) return text + "  …\n";
    if (!found[p]) {
      text += fmt::format("  {:>28}  {:>28}\n", complex_words(pole), "gone within a step");
    } else if (*found[p] >= s.eigenvalues.size()) {
      text += fmt::format("  {:>28}  {:>28}\n", complex_words(pole), "kept: structural");
    } else {
      const Complex became = *s.poles[*found[p]];
      text += fmt::format("  {:>28}  {:>28}  {:>+12.4g}\n", complex_words(pole), complex_words(became),
                          became.real() - pole.real());
    }
  }
  return text;
}

constexpr const char* events_left_out =
    "the events of the experiment are not part of the analysis: overridden connections count as connected, and "
    "parameters as they are at the start, or at the time of --at";

constexpr const char* limits_left_out =
    "jump limits are not part of the analysis: it is true while no output changes faster than its limit";

bool has_limits(const system::Plan& plan) {
  return std::ranges::any_of(plan.connections, [](const system::Coupling& coupling) {
    return coupling::affinity(coupling) == coupling::Affinity::linearised;
  });
}

std::vector<std::string> notices_of(const engine::System& system) {
  std::vector<std::string> notices;
  if (!system.description.experiment.events.empty()) notices.emplace_back(events_left_out);
  if (has_limits(system.plan)) notices.emplace_back(limits_left_out);
  return notices;
}

std::string name_of(const DesignOutlook& design) { return design.name.empty() ? "(the file as it is)" : design.name; }

std::string limit_words(const DesignOutlook& design) {
  if (!design.limit) return "none";
  return (design.stable_throughout ? "at least " : "") + time_words(*design.limit);
}

constexpr base::Word<DesignComparison::Rule> rules[]{{DesignComparison::Rule::holds, "holds"},
                                                     {DesignComparison::Rule::fails, "fails"},
                                                     {DesignComparison::Rule::not_known, "not known"}};

/// The rule is that of Chen 2021 (thesis), section 2.4.1; examples/causality/README.md says where it fails.
std::string rule_words(const DesignComparison& comparison) {
  switch (comparison.rule) {
    case DesignComparison::Rule::holds:
      return "  The rule of impedances (send the force to the heavy side, which makes the loop gain small) says the "
             "same.\n";
    case DesignComparison::Rule::fails:
      return "  The rule of impedances does not hold here: another design has the smaller loop gain. The step "
             "decides.\n";
    case DesignComparison::Rule::not_known:
      break;
  }
  return {};
}

Value number(double value) { return std::isfinite(value) ? Value(value) : Value(); }

}  // namespace

std::string verdict_text(const engine::System& system, const Stability& s, const std::optional<double>& time) {
  std::string text =
      fmt::format("{}: {} at a macro step of {} with {}, feed-through {}\n", system.description.name, verdict(s),
                  time_words(system.plan.step), coupling_words(system.plan), feedthrough_words(system.plan));
  const bool one_rate = s.period < 1.5 * system.plan.step;
  const std::string map =
      one_rate ? "one macro step" : fmt::format("the {} after which all steps meet again", time_words(s.period));
  text += fmt::format("  spectral radius of {}: {:.12g}\n", map, s.spectral_radius);
  text += dominant_words(s) + undamped_words(s);
  if (s.exactness == analysis::Exactness::linearised) {
    text += fmt::format("  the step is not linear: this is a linearisation at {}, true for small deviations\n",
                        time ? time_words(*time) : "the start");
  }
  for (const auto& structural : s.structural) {
    text += fmt::format("  eigenvalue {} left out: {}\n", complex_words(structural.value), structural.meaning);
  }
  for (const std::string& notice : notices_of(system)) text += fmt::format("  notice: {}\n", notice);
  return text;
}

std::string pole_text(const Stability& s) { return pole_table(s, s.period); }

Value analysis_value(const engine::System& system, const Stability& s, const std::string& verdict) {
  Value value = Value::object();
  value.add("name", system.description.name);
  value.add("macro_step", system.plan.step);
  value.add("period", s.period);
  value.add("coupling", coupling_words(system.plan));
  value.add("feedthrough", feedthrough_words(system.plan));
  value.add("spectral_radius", s.spectral_radius);
  value.add("stable", verdict == "stable");
  value.add("verdict", verdict);
  value.add("exactness",
            s.exactness == analysis::Exactness::exact && !has_limits(system.plan) ? "exact" : "linearised");
  value.add("eigenvalues", pairs(s.eigenvalues));
  value.add("structural_eigenvalues", Value::list(s.structural, [](const auto& entry) { return pair(entry.value); }));
  value.add("structural_meanings", Value::list(s.structural, [](const auto& entry) { return Value(entry.meaning); }));
  value.add("poles", Value::list(s.poles, [](const auto& pole) { return pole ? pair(*pole) : Value(); }));
  const auto undamped = s.undamped_pole();
  value.add("undamped_pole", undamped ? pair(*undamped) : Value());
  value.add("monolithic_poles", s.monolithic_poles ? pairs(*s.monolithic_poles) : Value());
  if (!s.monolithic_poles) value.add("monolithic_reason", s.monolithic_reason);
  const std::vector<std::string> notices = notices_of(system);
  if (!notices.empty()) value.add("notices", Value::array(notices));
  value.add("plan", plan_value(system));
  return value;
}

std::string design_text(const DesignComparison& comparison) {
  if (comparison.designs.size() < 2) return {};
  std::string text = fmt::format("\n  {:<28}  {:>12}  {:>20}  {:>12}  {:>16}\n", "design", "radius",
                                 "largest stable step", "loop gain", "in the band");
  for (const DesignOutlook& design : comparison.designs) {
    if (!design.problem.empty()) {
      text += fmt::format("  {:<28}  {}\n", name_of(design), design.problem);
      continue;
    }
    text += fmt::format("  {:<28}  {:>12.8f}  {:>20}  {:>12.5g}  {:>16.5g}\n", name_of(design),
                        design.radius.value_or(0.0), limit_words(design), design.loop_gain, design.loop_gain_in_band);
  }
  if (comparison.recommended < 0) return text + "  no design is stable at small steps\n";
  const DesignOutlook& best = comparison.designs[static_cast<std::size_t>(comparison.recommended)];
  return text + fmt::format("  recommended design: {}, which allows the largest step.\n", name_of(best)) +
         rule_words(comparison);
}

Value design_value(const DesignComparison& comparison) {
  const auto one_value = [](const DesignOutlook& design) {
    return Value::object({{"name", design.name.empty() ? Value() : Value(design.name)},
                          {"problem", design.problem.empty() ? Value() : Value(design.problem)},
                          {"spectral_radius", design.radius},
                          {"largest_stable_step", design.limit},
                          {"stable_throughout", design.stable_throughout},
                          {"loop_gain", number(design.loop_gain)},
                          {"loop_gain_in_band", number(design.loop_gain_in_band)}});
  };
  Value value = Value::object({{"designs", Value::list(comparison.designs, one_value)},
                               {"rule_of_impedances", base::to_word(rules, comparison.rule)}});
  if (comparison.recommended >= 0) {
    const std::string& name = comparison.designs[static_cast<std::size_t>(comparison.recommended)].name;
    value.add("recommended", name.empty() ? Value() : Value(name));
  }
  return value;
}

}  // namespace seam::report
