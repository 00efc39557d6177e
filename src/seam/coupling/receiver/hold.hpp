// Lagrange holds: the polynomial of order 0, 1 or 2 through the newest samples, continued over the next step.
#pragma once

#include "seam/coupling/receiver/receiver.hpp"

namespace seam::coupling {

class Hold final : public Receiver {
 public:
  Hold(int order, SampleTiming timing);

  ReceiverShape shape() const override { return {order_, order_ + 1, 0, Pace::macro_steps}; }
  void start(int ports, double* history) const override;
  void make_room(int ports, int rows, double* history) const override;
  void polynomial(int ports, int available, double* history, const Polynomial& result) const override;

 private:
  int order_;
  double age_;                               // of the newest sample at the begin of the step
  double newest_spacing_;                    // from it to the one before
  double slope_, slope_before_, curvature_;  // factors of the divided differences
};

}  // namespace seam::coupling
