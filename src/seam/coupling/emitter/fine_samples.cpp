#include "seam/coupling/emitter/fine_samples.hpp"

#include <algorithm>

namespace seam::coupling {

RowRange FineSamples::carried(int micro_points) const { return {0, std::max(0, count_ - micro_points)}; }

void FineSamples::start(int ports, const double* outputs, double* rows) const {
  for (int row = 0; row < count_; ++row) std::copy_n(outputs, ports, rows + row * ports);
}

void FineSamples::observe(int ports, const double* outputs, double* rows) const {
  std::copy_backward(rows, rows + (count_ - 1) * ports, rows + count_ * ports);
  replace(ports, outputs, rows);
}

void FineSamples::replace(int ports, const double* outputs, double* rows) const { std::copy_n(outputs, ports, rows); }

}  // namespace seam::coupling
