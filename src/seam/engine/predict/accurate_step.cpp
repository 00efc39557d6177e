#include "seam/engine/predict/accurate_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace seam::engine {
namespace {

/// A step of which half the way to the limit of stability is left.
constexpr double room = 0.5;

/// Two digits are enough for a step, and easier to read.
double rounded_down(double step) {
  const double unit = std::pow(10.0, std::floor(std::log10(step)) - 1.0);
  return std::stod(fmt::format("{:.2g}", std::floor(step / unit * (1.0 + 1e-9)) * unit));
}

}  // namespace

std::optional<SweepPoint> largest_accurate_step(const Rehearsal& rehearsal, const StepSearch& search) {
  const auto limit = search.steps ? search.steps->first_loss() : std::nullopt;
  if (!limit) return std::nullopt;
  const auto unit = rehearsal.step_unit();
  const auto fitting = [&](double step) {
    return unit && *unit > 0.0 ? std::floor(step / *unit * (1.0 + 1e-12)) * *unit : rounded_down(step);
  };
  // The error grows with the step: the first step that is short enough ends the search, from above in steps of 5 %.
  const double smallest = std::max(search.steps->examined.from, unit.value_or(0.0));
  double tried = std::numeric_limits<double>::infinity();
  for (double step = room * *limit; step >= smallest * (1.0 - 1e-9); step *= 0.95) {
    const double candidate = fitting(step);
    if (candidate >= tried || candidate <= 0.0) continue;
    tried = candidate;
    const SweepPoint point = outlook_of(rehearsal, search.plan_at(candidate), search.band);
    if (point.error && *point.error <= search.goal) return point;
  }
  return std::nullopt;
}

}  // namespace seam::engine
