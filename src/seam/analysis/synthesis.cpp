#include "seam/analysis/synthesis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace seam::analysis {
namespace {

using lti::Coefficients;
using StaticGain = SearchRequest::StaticGain;

double gain_limit(const CompensatorTask& task) {
  return task.gain_limit.value_or(closed_form(task.system, closed_form_pole(task)).gain);
}

/// Two more than the closed form has: their zeros are what lowers the error most.
constexpr int extra_poles = 2;

SearchRequest search_request(const CompensatorTask& task) {
  SearchRequest request;
  request.system = task.system;
  request.micro_steps = task.micro_steps;
  request.radius = task.radius;
  request.gain = gain_limit(task);
  const auto order = static_cast<int>(path_behind_sampler(task.system).denominator.size()) - 1;
  request.poles = order + task.system.weight.order - 1 + extra_poles;
  request.static_gain = task.static_gain;
  return request;
}

Synthesis judged(const CompensatorTask& task, Compensator compensator) {
  Synthesis result;
  result.report = describe(task.system, compensator, task.micro_steps);
  result.fault = fault_of(task, result.report);
  result.compensator = std::move(compensator);
  return result;
}

}  // namespace

Compensator closed_form(const ErrorSystem& system, double pole) {
  const lti::Rational path = path_behind_sampler(system);
  const int order = system.weight.order;
  const auto excess = static_cast<int>(path.denominator.size() - path.numerator.size());
  const int count = order + excess - 1;
  Coefficients D{1.0};
  double gamma = 1.0;
  for (int i = 0; i < count; ++i) D = lti::product(D, {1.0, 1.0 / pole});
  for (int i = 0; i < order; ++i)
    gamma *= 2.0 * std::numbers::pi * system.weight.cutoff / pole * (count - i) / (order - i);
  const Coefficients weight = low_pass(system.weight).denominator;
  Coefficients N;
  for (std::size_t i = 0; i < static_cast<std::size_t>(order); ++i) N.push_back(D[i] - gamma * weight[i]);

  Compensator result;
  result.zeros = lti::roots(path.denominator);
  for (const lti::Complex& zero : lti::roots(N)) result.zeros.push_back(zero);
  result.poles.assign(static_cast<std::size_t>(count), -pole);
  for (const lti::Complex& zero : lti::roots(path.numerator)) result.poles.push_back(zero);
  result.gain = N.back() * path.denominator.back() / (D.back() * path.numerator.back());
  return result;
}

double closed_form_pole(const CompensatorTask& task) { return std::min(15.0, 1.5 * task.micro_steps); }

std::string fault_of(const CompensatorTask& task, const CompensatorReport& report) {
  constexpr double rounding = 1e-9;
  if (!(report.error.norm < 1.0))
    return fmt::format("its error {} is not below that of sending nothing at all", report.error.norm);
  if (!(report.worst_pole < task.radius * (1.0 + rounding)))
    return fmt::format("a pole lies outside the disc: |1 + h lambda| = {} is not below {}", report.worst_pole,
                       task.radius);
  const double limit = gain_limit(task);
  if (!(std::abs(report.at_jumps) <= limit * (1.0 + rounding)))
    return fmt::format("it amplifies jumps by {}, more than {}", report.at_jumps, limit);
  if (task.static_gain == StaticGain::one && !(std::abs(report.at_rest - 1.0) < rounding))
    return fmt::format("its gain at rest is {}, not 1", report.at_rest);
  return {};
}

Synthesis synthesise(const CompensatorTask& task) {
  const Synthesis simple = judged(task, closed_form(task.system, closed_form_pole(task)));
  const Synthesis found = judged(task, search_compensator(search_request(task)));
  if (!found.fault.empty()) return simple.fault.empty() ? simple : found;
  return simple.fault.empty() && simple.report.error.norm < found.report.error.norm ? simple : found;
}

}  // namespace seam::analysis
