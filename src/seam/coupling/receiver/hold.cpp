#include "seam/coupling/receiver/hold.hpp"

#include <algorithm>

namespace seam::coupling {

Hold::Hold(int order, SampleTiming timing)
    : order_(order),
      age_(timing.age),
      newest_spacing_(timing.newest_spacing > 0.0 ? timing.newest_spacing : timing.spacing),
      slope_(1.0 / newest_spacing_),
      slope_before_(1.0 / timing.spacing),
      curvature_(1.0 / (newest_spacing_ + timing.spacing)) {}

void Hold::start(int ports, double* history) const {
  for (int row = 1; row <= order_; ++row) std::copy_n(history, ports, history + row * ports);
}

void Hold::make_room(int ports, int rows, double* history) const {
  const int taken = rows * ports;
  for (int i = (order_ + 1) * ports - 1; i >= taken; --i) history[i] = history[i - taken];
}

// Newton's form through the samples y0 at theta = -age, y1 before it and y2 before that,
//   p(theta) = y0 + (theta + age) d + (theta + age)(theta + age + newest spacing) e,
// with the divided differences d of the newest two and e of all three: the holds of Chen et al. 2021, eq. 2, and of
// Chen 2021 (thesis), eqs 2.15 and 2.18, for age 0 and spacing 1.
// With fewer samples than the order needs, the order is what they allow.
void Hold::polynomial(int ports, int available, double* history, const Polynomial& result) const {
  const int order = std::min(order_, available - 1);
  for (int p = 0; p < ports; ++p, ++history) {
    double* c = result.coefficients + result.columns[p];
    const double y0 = history[0];
    const double d = order >= 1 ? slope_ * (y0 - history[ports]) : 0.0;
    const double e = order >= 2 ? curvature_ * (d - slope_before_ * (history[ports] - history[2 * ports])) : 0.0;
    c[0] = y0 + age_ * (d + (age_ + newest_spacing_) * e);
    if (order_ >= 1) c[result.stride] = d + (2.0 * age_ + newest_spacing_) * e;
    if (order_ >= 2) c[2 * result.stride] = e;
  }
}

}  // namespace seam::coupling
