// Sends the outputs at the last micro points, not only the one at the communication point.
#pragma once

#include "seam/coupling/emitter/emitter.hpp"

namespace seam::coupling {

class FineSamples final : public Emitter {
 public:
  explicit FineSamples(int count) : count_(count) {}

  int rows() const override { return count_; }
  RowRange carried(int micro_points) const override;
  void start(int ports, const double* outputs, double* rows) const override;
  void observe(int ports, const double* outputs, double* rows) const override;
  void replace(int ports, const double* outputs, double* rows) const override;

 private:
  int count_;
};

}  // namespace seam::coupling
