#include "seam/assembly/subsystem.hpp"

#include "seam/base/grid.hpp"

namespace seam::assembly {

bool Capabilities::is_divisible_by(double part) const {
  if (!divisible_by || *divisible_by == 0.0) return divisible_by.has_value();
  const base::Division division = base::divide(part, *divisible_by);
  return division.exact && division.whole >= 1;
}

}  // namespace seam::assembly
