#include "seam/base/grid.hpp"

#include <algorithm>
#include <cmath>

namespace seam::base {

namespace {

constexpr double most_ticks = 9.0e15;

// The quotient of two decimal inputs is off by a few units in its last place, which grows with the number of parts.
bool is_whole(double ratio) {
  const double nearest = std::round(ratio);
  return std::abs(ratio - nearest) <= 1e-9 + 4e-16 * std::abs(nearest);
}

}  // namespace

Division divide(double total, double part) {
  const double ratio = total / part;
  if (!(ratio >= 0.0) || ratio > most_ticks) return {};
  if (is_whole(ratio)) return {static_cast<Tick>(std::round(ratio)), true};
  return {static_cast<Tick>(std::floor(ratio)), false};
}

std::optional<double> common_multiple(double a, double b) {
  constexpr int most_times = 1000;
  const double longer = std::max(a, b), shorter = std::min(a, b);
  for (int times = 1; times <= most_times; ++times) {
    if (divide(times * longer, shorter).exact) return times * longer;
  }
  return std::nullopt;
}

Tick first_tick_from(const Grid& grid, double t) {
  const double ratio = std::clamp((t - grid.start) / grid.step, -most_ticks, most_ticks);
  return static_cast<Tick>(is_whole(ratio) ? std::round(ratio) : std::ceil(ratio));
}

}  // namespace seam::base
