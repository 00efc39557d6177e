// Sends what a linear filter makes of the outputs: the compensator K1 of Chen et al. 2021, section 3.1.
#pragma once

#include <algorithm>
#include <optional>

#include "seam/coupling/emitter/emitter.hpp"
#include "seam/coupling/filters.hpp"

namespace seam::coupling {

/// Rows: what is sent, how far the states are from rest at the newest output, the outputs at the last micro points.
/// Never as if the output were constant inside a micro step: K1 has a direct part of 80 and more that its dynamic part
/// takes back, and half a micro step of delay between the two would be a lead of 40 micro steps.
/// What an output changes by beyond the jump limit counts as if it had always been there: it is sent as it is.
class Compensator final : public Emitter {
 public:
  /// `micro_step` in the unit of time of the filter; `jump_limit` of an output's change over one unit of time.
  Compensator(const lti::StateSpace& filter, double micro_step, FilterSolver solver,
              std::optional<double> jump_limit = std::nullopt);

  int rows() const override { return 1 + states_ + past_; }
  RowRange carried(int) const override { return {1, states_ + past_}; }
  void start(int ports, const double* outputs, double* rows) const override;
  void observe(int ports, const double* outputs, double* rows) const override;
  void replace(int ports, const double* outputs, double* rows) const override;

 private:
  void send(int ports, const double* outputs, double* rows) const;
  double limited(double change) const { return std::clamp(change, -largest_change_, largest_change_); }
  /// The states that a state feels are the first so many: a section of two states feels itself and those before it.
  int reach(int state) const { return is_full_ ? states_ : std::min(states_, state / 2 * 2 + 2); }

  int states_, past_;
  bool is_full_ = false;   // a state feels those behind it, too
  lti::Matrix step_;       // of the deviations over a micro step
  lti::Matrix changes_;    // what the changes of the output in it and in those before add to them, one column a change
  lti::Vector read_;       // what is sent of the deviations
  double static_gain_;     // what is sent of the output itself
  double largest_change_;  // over a micro step
};

}  // namespace seam::coupling
