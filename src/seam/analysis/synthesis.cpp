#include "seam/analysis/synthesis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "seam/analysis/run_error.hpp"

namespace seam::analysis {
namespace {

using coupling::FilterSolver;
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
  request.radius = task.radius * (1.0 - 1e-6);  // equal poles are known to half of the digits
  request.gain = gain_limit(task);
  const auto order = static_cast<int>(path_behind_sampler(task.system).denominator.size()) - 1;
  request.poles = order + task.system.weight.order - 1 + extra_poles;
  request.static_gain = task.static_gain;
  const double r = task.micro_steps, reach = std::min(r, 15.0);
  request.start = {task.solver == FilterSolver::euler ? r : std::max(r, closed_form_pole(task)), 0.1 * r};
  request.starts = {{0.6 * reach, 0.9 * reach}, {reach, 0.3 * reach}, {reach, 0.9 * reach}};
  return request;
}

/// Whether a run carries signals at least as well with it as with the other. Only the hold of order zero is one that
/// runs. Euler's rule alternates where 1 + h lambda < 0 and multiplies a kink by thousands then, which the limit of
/// K1(infinity) does not prevent.
bool carries_as_well(const CompensatorTask& task, const Compensator& compensator, const Compensator& other) {
  if (task.system.hold != HoldOrder::zero) return true;
  const int micro_steps = std::max(1, static_cast<int>(std::lround(task.micro_steps)));
  const auto is_as_good = [&](const auto& error) {
    return error(task.system, compensator, micro_steps, task.solver) <=
           error(task.system, other, micro_steps, task.solver);
  };
  return is_as_good(tone_error) && (task.solver == FilterSolver::exact || is_as_good(kink_error));
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
  const FoundCompensators found = search_compensators(search_request(task));
  Synthesis best = judged(task, closed_form(task.system, closed_form_pole(task)));
  const auto consider = [&](const Synthesis& other) {
    const bool smaller = other.report.error.norm < best.report.error.norm;
    if (other.fault.empty() && (smaller || !best.fault.empty())) best = other;
  };
  consider(judged(task, found.unrefined));
  const Compensator unrefined = best.compensator;
  for (const Compensator& refined : found.refined) {
    if (!best.fault.empty() || carries_as_well(task, refined, unrefined)) consider(judged(task, refined));
  }
  if (task.static_gain == StaticGain::free) {
    CompensatorTask exact = task;
    exact.static_gain = StaticGain::one;
    consider(synthesise(exact));
  }
  return best;
}

}  // namespace seam::analysis
