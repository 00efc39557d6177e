#include "seam/coupling/receiver/hold.hpp"

#include <algorithm>

namespace seam::coupling {

Hold::Hold(int order, SampleTiming timing) : order_(order), timing_(timing) {}

void Hold::arrive(int ports, int rows, const double* incoming, double* history) const {
  const int kept = order_ + 1;
  const int taken = std::min(rows, kept);
  for (int row = kept - 1; row >= taken; --row) {
    std::copy_n(history + (row - taken) * ports, ports, history + row * ports);
  }
  std::copy_n(incoming, taken * ports, history);
}

// Newton's backward form with equal spacing: s = (theta + age)/spacing counts samples from the newest,
//   p(s) = y0 + s (y0 - y1) + s (s + 1)/2 (y0 - 2 y1 + y2),
// the holds of 000_6a72fd61643e96e9.txt eq. 2 and 001_0768d537cd92a18e.txt eqs 2.15, 2.18 for age 0 and spacing 1.
// With fewer samples than the order needs, the order is what they allow.
void Hold::polynomial(int ports, int available, const double* history, const Polynomial& result) const {
  const int order = std::min(order_, available - 1);
  const double slope = 1.0 / timing_.spacing;
  const double at_begin = timing_.age * slope;
  for (int p = 0; p < ports; ++p) {
    double* c = result.coefficients + result.columns[p];
    const double y0 = history[p];
    const double first = order >= 1 ? y0 - history[ports + p] : 0.0;
    const double second = order >= 2 ? 0.5 * (y0 - 2.0 * history[ports + p] + history[2 * ports + p]) : 0.0;
    // In s: y0 + (first + second) s + second s^2.
    const double linear = first + second;
    c[0] = y0 + at_begin * (linear + at_begin * second);
    if (order_ >= 1) c[result.stride] = slope * (linear + 2.0 * at_begin * second);
    if (order_ >= 2) c[2 * result.stride] = slope * slope * second;
  }
}

}  // namespace seam::coupling
