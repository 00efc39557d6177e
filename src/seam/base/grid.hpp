// Time on a grid: t_n = t0 + n*h with an integer n. Nothing ever accumulates a step.
#pragma once

#include <cstdint>
#include <optional>

namespace seam::base {

using Tick = std::int64_t;

struct Grid {
  double start = 0.0;
  double step = 0.0;

  double time(Tick n) const { return start + static_cast<double>(n) * step; }
};

/// `whole` parts of size `part` in `total`; `exact` if they fill it to 1e-9 of a part.
struct Division {
  Tick whole = 0;
  bool exact = false;
};
Division divide(double total, double part);

/// The smallest length that is a multiple of both, up to a thousand times the longer one.
std::optional<double> common_multiple(double a, double b);

/// The first tick whose time is not before t, up to rounding.
Tick first_tick_from(const Grid& grid, double t);

}  // namespace seam::base
