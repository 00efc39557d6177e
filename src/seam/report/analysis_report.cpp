#include "seam/report/analysis_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "seam/report/plan_words.hpp"

namespace seam::report {
namespace {

using analysis::Complex;
using analysis::Stability;
using formats::Value;

Value pair(Complex z) { return Value::array({Value(z.real()), Value(z.imag())}); }

Value pairs(const std::vector<Complex>& numbers) {
  Value list = Value::array();
  for (const Complex& z : numbers) list.push(pair(z));
  return list;
}

/// Within rounding of the probed matrix an undamped mode is neither.
bool marginal(const Stability& s) { return std::abs(s.spectral_radius - 1.0) <= 1e-10; }

std::string complex_words(Complex z) {
  if (std::abs(z.imag()) < 1e-12 * std::abs(z)) return fmt::format("{:.6g}", z.real());
  return fmt::format("{:.6g} {} {:.6g}i", z.real(), z.imag() < 0 ? "-" : "+", std::abs(z.imag()));
}

std::string verdict(const Stability& s) {
  if (marginal(s)) return "marginally stable";
  return s.stable() ? "stable" : "NOT stable";
}

/// What the largest eigenvalue does to the result.
std::string dominant_words(const Stability& s) {
  if (s.poles.empty() || !s.poles.front()) return "  every disturbance is gone after a few steps\n";
  const Complex pole = *s.poles.front();
  const double frequency = std::abs(pole.imag()) / (2.0 * std::numbers::pi);
  std::string motion = frequency > 0.0 ? fmt::format("an oscillation at {:.4g} Hz", frequency)
                                       : std::string("a motion without oscillation");
  if (s.eigenvalues.front().real() < 0.0 && s.eigenvalues.front().imag() == 0.0)
    motion = "an alternation from step to step";
  if (marginal(s)) return "  the slowest mode is " + motion + " that neither grows nor decays\n";
  const double doubling = std::numbers::ln2 / std::abs(pole.real());
  return fmt::format("  the slowest mode is {} that {} in {}\n", motion, s.stable() ? "halves" : "doubles",
                     time_words(doubling));
}

/// Each monolithic pole with the pole of the step that it became: the one whose eigenvalue is nearest to exp(lambda H).
std::string pole_table(const Stability& s, double macro_step) {
  if (!s.monolithic_poles) return "  no monolithic poles: " + s.monolithic_reason + "\n";
  std::string text =
      fmt::format("\n  {:>28}  {:>28}  {:>12}\n", "monolithic pole (1/s)", "becomes (1/s)", "shift of Re");
  std::vector<bool> taken(s.eigenvalues.size());
  std::size_t rows = 0;
  for (const Complex& pole : *s.monolithic_poles) {
    if (pole.imag() < 0.0) continue;  // the other one of the pair says the same
    if (++rows > 20) return text + "  …\n";
    std::size_t best = s.eigenvalues.size();
    for (std::size_t i = 0; i < s.eigenvalues.size(); ++i) {
      if (taken[i] || !s.poles[i]) continue;
      const Complex target = std::exp(pole * macro_step);
      if (best == s.eigenvalues.size() || std::abs(s.eigenvalues[i] - target) < std::abs(s.eigenvalues[best] - target))
        best = i;
    }
    if (best == s.eigenvalues.size()) {
      text += fmt::format("  {:>28}  {:>28}\n", complex_words(pole), "structural, or gone in a step");
      continue;
    }
    taken[best] = true;
    text += fmt::format("  {:>28}  {:>28}  {:>+12.4g}\n", complex_words(pole), complex_words(*s.poles[best]),
                        s.poles[best]->real() - pole.real());
  }
  return text;
}

}  // namespace

std::string analysis_text(const engine::System& system, const Stability& s) {
  std::string text =
      fmt::format("{}: {} at a macro step of {} with {}, feed-through {}\n", system.description.name, verdict(s),
                  time_words(system.plan.step), coupling_words(system.plan), feedthrough_words(system.plan));
  text += fmt::format("  spectral radius of one macro step: {:.12g}\n", s.spectral_radius);
  text += dominant_words(s);
  if (s.exactness == analysis::Exactness::linearised) {
    text += "  the step is not linear: this is a linearisation at the start, true for small deviations\n";
  }
  for (const auto& structural : s.structural) {
    text += fmt::format("  eigenvalue {} left out: {}\n", complex_words(structural.value), structural.meaning);
  }
  return text + pole_table(s, system.plan.step);
}

Value analysis_value(const engine::System& system, const Stability& s) {
  Value value = Value::object();
  value.add("name", system.description.name);
  value.add("macro_step", system.plan.step);
  value.add("coupling", coupling_words(system.plan));
  value.add("feedthrough", feedthrough_words(system.plan));
  value.add("spectral_radius", s.spectral_radius);
  value.add("stable", s.stable());
  value.add("exactness", s.exactness == analysis::Exactness::exact ? "exact" : "linearised");
  value.add("eigenvalues", pairs(s.eigenvalues));
  Value structural = Value::array(), meanings = Value::array();
  for (const auto& entry : s.structural) {
    structural.push(pair(entry.value));
    meanings.push(entry.meaning);
  }
  value.add("structural_eigenvalues", std::move(structural));
  value.add("structural_meanings", std::move(meanings));
  Value poles = Value::array();
  for (const auto& pole : s.poles) poles.push(pole ? pair(*pole) : Value());
  value.add("poles", std::move(poles));
  value.add("monolithic_poles", s.monolithic_poles ? pairs(*s.monolithic_poles) : Value());
  if (!s.monolithic_poles) value.add("monolithic_reason", s.monolithic_reason);
  value.add("plan", plan_value(system));
  return value;
}

}  // namespace seam::report
