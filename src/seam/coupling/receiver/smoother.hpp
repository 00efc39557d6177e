// Holds the newest sample and smooths it by a low-pass filter: K2 of Chen et al. 2021, section 3.1.
#pragma once

#include "seam/coupling/filters.hpp"
#include "seam/coupling/receiver/receiver.hpp"

namespace seam::coupling {

/// Rows: the input now, the sample that is held in this step, the newest sample, the one before, the states.
/// A sample that is ahead of its step (Gauss-Seidel) waits for the next one: the compensator was made for that.
class Smoother final : public Receiver {
 public:
  /// The filter's unit of time is the interval between samples.
  Smoother(const lti::StateSpace& filter, const SampleTiming& timing, FilterSolver solver);

  ReceiverShape shape() const override { return {2, first_state + states_, newest, Pace::micro_steps}; }
  void start(int ports, double* history) const override;
  void make_room(int ports, int rows, double* history) const override;
  void polynomial(int ports, int available, double* history, const Polynomial& result) const override;
  void segment(int ports, double* history, const Polynomial& result) const override;

 private:
  static constexpr int now = 0, held = 1, newest = 2, before = 3, first_state = 4;

  /// The states after a time, for a sample that is held.
  struct Propagation {
    lti::Matrix states;
    lti::Vector sample;
  };
  Propagation propagation(const lti::StateSpace& filter, double time, FilterSolver solver) const;
  double read(const Propagation& to, int ports, const double* column) const;

  int states_;
  int used_;  // the row of the sample that counts in a step
  Propagation half_micro_, micro_, half_macro_, macro_;
  lti::Vector at_rest_, read_;
};

}  // namespace seam::coupling
