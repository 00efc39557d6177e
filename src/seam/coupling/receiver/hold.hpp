// Lagrange holds: the polynomial of order 0, 1 or 2 through the newest samples, continued over the next step.
#pragma once

#include "seam/coupling/receiver/receiver.hpp"

namespace seam::coupling {

class Hold final : public Receiver {
 public:
  Hold(int order, SampleTiming timing);

  ReceiverShape shape() const override { return {order_, order_ + 1}; }
  void arrive(int ports, int rows, const double* incoming, double* history) const override;
  void polynomial(int ports, int available, const double* history, const Polynomial& result) const override;

 private:
  int order_;
  SampleTiming timing_;
};

}  // namespace seam::coupling
