#include "seam/base/grid.hpp"

#include <cmath>

namespace seam::base {

Division divide(double total, double part) {
  const double ratio = total / part;
  if (!(ratio >= 0.0) || ratio > 9.0e15) return {};
  const double nearest = std::round(ratio);
  // The quotient of two decimal inputs is off by a few units in its last place, which grows with the number of parts.
  const double slack = 1e-9 + 4e-16 * nearest;
  if (std::abs(ratio - nearest) <= slack) return {static_cast<Tick>(nearest), true};
  return {static_cast<Tick>(std::floor(ratio)), false};
}

}  // namespace seam::base
