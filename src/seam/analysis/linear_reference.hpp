// Linear equations solved together by the matrix exponential.
#pragma once

#include <vector>

#include "seam/analysis/reference.hpp"

namespace seam::analysis {

/// x(t+h) = e^{Ah} x(t) + integral_0^h e^{A(h-s)} B w(t+s) ds; the integral by Gauss' rule with six points on parts
/// short enough for it, split where a signal jumps or has a corner. Without signals the solution is exact.
class LinearReference final : public Reference {
 public:
  LinearReference(const assembly::Assembly& assembly, Interconnection wiring, lti::StateSpace system, lti::Vector x0,
                  double t0);

  void advance_to(double t) override;
  const assembly::PortValues& ports() const override { return ports_; }
  std::string method() const override { return "matrix exponential"; }

 private:
  struct Step {
    double length = 0.0;
    lti::Matrix Ad;
    std::vector<lti::Matrix> node;  ///< weight_i h e^{A h (1 - c_i)} B
  };
  Step make_step(double length) const;
  const Step& step_of(double length);
  void advance_smooth(double from, double to);
  lti::Vector signals_at(double t) const;
  void write_ports();

  const assembly::Assembly& assembly_;
  Interconnection wiring_;
  lti::StateSpace system_;
  lti::Vector x_;
  double t_;
  double speed_ = 0.0;  // bound on the fastest rate, 1/s
  std::vector<Step> steps_;
  assembly::PortValues ports_;
};

}  // namespace seam::analysis
