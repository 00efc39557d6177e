// A PI controller that computes when its clock ticks, for every kind of time-based clock.
#pragma once

#include "fmus/framework/ode_model.hpp"

namespace seam::fmus {

/// y = kp e + I with e = reference - measurement and I = I_previous + ki T e, where T is the time since the last tick
/// (periodic clocks: the interval).
class ClockedController final : public OdeModel {
 public:
  ClockedController(Version version, Ticking ticking);

  Traits traits() const override;
  void initialise() override;
  void retune() override;
  void evaluate() override;
  EventReport update() override;
  void schedule(int clock) override;

 private:
  void add_controller();
  double elapsed();

  const int kp_ = 1, ki_ = 2, period_ = 3;
  Ticking ticking_;
  int clock_, go_ = -1, went_ = -1;
  int reference_ = -1, measurement_ = -1, previous_ = -1, integral_ = -1, y_ = -1;
};

}  // namespace seam::fmus
