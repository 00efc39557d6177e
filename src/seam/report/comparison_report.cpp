#include "seam/report/comparison_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace seam::report {
namespace {

using formats::Value;

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.6g}", *value) : "constant"; }

Value optional_value(const std::optional<double>& value) { return value ? Value(*value) : Value(); }

}  // namespace

std::string comparison_text(const record::Comparison& comparison) {
  std::size_t width = 8;
  for (const auto& error : comparison.variables) width = std::max(width, error.name.size());
  std::string text = fmt::format("{:<{}}  {:>12}  {:>12}  {:>12}  {:>12}\n", "variable", width, "NRMSE range",
                                 "NRMSE std", "rms", "largest");
  for (const auto& error : comparison.variables) {
    text += fmt::format("{:<{}}  {:>12}  {:>12}  {:>12.6g}  {:>12.6g} at t = {:.9g} s\n", error.name, width,
                        number(error.nrmse_range), number(error.nrmse_deviation), error.rms, error.largest,
                        error.largest_at);
  }
  text += fmt::format("{:<{}}  {:>12}  {:>12}   (largest; rms over the variables)\n", "overall", width,
                      number(comparison.overall_range), number(comparison.overall_deviation));
  text += fmt::format("{} samples from {:.12g} s to {:.12g} s{}\n", comparison.samples, comparison.from, comparison.to,
                      comparison.interpolated ? "; the reference has other times and was interpolated linearly" : "");
  for (const auto& [names, where] :
       {std::pair{comparison.only_in_result, "result"}, std::pair{comparison.only_in_reference, "reference"}}) {
    if (!names.empty()) text += fmt::format("only in the {}: {}\n", where, fmt::join(names, ", "));
  }
  if (!comparison.texts.empty())
    text += fmt::format("not compared, since they are texts: {}\n", fmt::join(comparison.texts, ", "));
  return text;
}

Value comparison_value(const record::Comparison& comparison) {
  Value variables = Value::object();
  for (const auto& error : comparison.variables) {
    variables.add(error.name, Value::object({{"nrmse_range", optional_value(error.nrmse_range)},
                                             {"nrmse_deviation", optional_value(error.nrmse_deviation)},
                                             {"rms", error.rms},
                                             {"largest", error.largest},
                                             {"largest_at", error.largest_at}}));
  }
  return Value::object({{"variables", std::move(variables)},
                        {"nrmse_range", optional_value(comparison.overall_range)},
                        {"nrmse_deviation", optional_value(comparison.overall_deviation)},
                        {"samples", comparison.samples},
                        {"from", comparison.from},
                        {"to", comparison.to},
                        {"interpolated", comparison.interpolated},
                        {"only_in_result", Value::array(comparison.only_in_result)},
                        {"only_in_reference", Value::array(comparison.only_in_reference)},
                        {"texts", Value::array(comparison.texts)}});
}

}  // namespace seam::report
