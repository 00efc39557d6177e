#include "seam/report/design_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "seam/report/plan_words.hpp"

namespace seam::report {
namespace {

using engine::DesignComparison;
using engine::DesignOutlook;
using formats::Value;

std::string name_of(const DesignOutlook& design) { return design.name.empty() ? "(the file as it is)" : design.name; }

std::string limit_words(const DesignOutlook& design) {
  if (!design.limit) return "none";
  return (design.stable_throughout ? "at least " : "") + time_words(*design.limit);
}

const char* word(DesignComparison::Rule rule) {
  switch (rule) {
    case DesignComparison::Rule::holds:
      return "holds";
    case DesignComparison::Rule::fails:
      return "fails";
    case DesignComparison::Rule::not_known:
      break;
  }
  return "not known";
}

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
  Value designs = Value::array();
  for (const DesignOutlook& design : comparison.designs) {
    designs.push(Value::object({{"name", design.name.empty() ? Value() : Value(design.name)},
                                {"problem", design.problem.empty() ? Value() : Value(design.problem)},
                                {"spectral_radius", design.radius ? Value(*design.radius) : Value()},
                                {"largest_stable_step", design.limit ? Value(*design.limit) : Value()},
                                {"stable_throughout", design.stable_throughout},
                                {"loop_gain", number(design.loop_gain)},
                                {"loop_gain_in_band", number(design.loop_gain_in_band)}}));
  }
  Value value = Value::object({{"designs", std::move(designs)}, {"rule_of_impedances", word(comparison.rule)}});
  if (comparison.recommended >= 0) {
    const std::string& name = comparison.designs[static_cast<std::size_t>(comparison.recommended)].name;
    value.add("recommended", name.empty() ? Value() : Value(name));
  }
  return value;
}

}  // namespace seam::report
