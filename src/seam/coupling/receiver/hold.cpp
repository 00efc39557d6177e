#include "seam/coupling/receiver/hold.hpp"

#include <algorithm>

namespace seam::coupling {

Hold::Hold(int order, SampleTiming timing)
    : order_(order), slope_(1.0 / timing.spacing), at_begin_(timing.age / timing.spacing) {}

void Hold::start(int ports, double* history) const {
  for (int row = 1; row <= order_; ++row) std::copy_n(history, ports, history + row * ports);
}

void Hold::make_room(int ports, int rows, double* history) const {
  const int taken = rows * ports;
  for (int i = (order_ + 1) * ports - 1; i >= taken; --i) history[i] = history[i - taken];
}

// Newton's backward form with equal spacing: s = (theta + age)/spacing counts samples from the newest,
//   p(s) = y0 + s (y0 - y1) + s (s + 1)/2 (y0 - 2 y1 + y2),
// the holds of Chen et al. 2021, eq. 2, and of Chen 2021 (thesis), eqs 2.15 and 2.18, for age 0 and spacing 1.
// With fewer samples than the order needs, the order is what they allow.
void Hold::polynomial(int ports, int available, double* history, const Polynomial& result) const {
  const int order = std::min(order_, available - 1);
  const double slope = slope_, begin = at_begin_;
  for (int p = 0; p < ports; ++p, ++history) {
    double* c = result.coefficients + result.columns[p];
    const double y0 = history[0];
    const double first = order >= 1 ? y0 - history[ports] : 0.0;
    const double second = order >= 2 ? 0.5 * (y0 - 2.0 * history[ports] + history[2 * ports]) : 0.0;
    // In s: y0 + (first + second) s + second s^2.
    const double linear = first + second;
    c[0] = y0 + begin * (linear + begin * second);
    if (order_ >= 1) c[result.stride] = slope * (linear + 2.0 * begin * second);
    if (order_ >= 2) c[2 * result.stride] = slope * slope * second;
  }
}

}  // namespace seam::coupling
