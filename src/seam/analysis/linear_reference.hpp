// Linear equations solved together by the matrix exponential.
#pragma once

#include <vector>

#include "seam/analysis/reference.hpp"
#include "seam/lti/discretise.hpp"

namespace seam::analysis {

/// x(t+h) = e^{Ah} x(t) + integral_0^h e^{A(h-s)} B w(t+s) ds. Constants are exact; a known signal is replaced by
/// polynomials through Chebyshev points on parts short against its own frequency, split where it jumps or has a corner,
/// and these are integrated exactly: how stiff the equations are does not matter.
class LinearReference final : public Reference {
 public:
  LinearReference(const assembly::Assembly& assembly, Interconnection wiring, lti::StateSpace system, lti::Vector x0,
                  double t0);

  void advance_to(double t) override;
  const assembly::PortValues& ports() const override { return ports_; }
  std::span<const double> states() const override { return {x_.data(), static_cast<std::size_t>(x_.size())}; }
  std::string method() const override { return "matrix exponential"; }

 private:
  struct Step {
    double length = 0.0;
    lti::PolynomialStep exact;
  };
  const Step& step_of(double length);
  void advance_smooth(double from, double to);
  lti::Vector signals_at(double t) const;
  void write_ports();

  const assembly::Assembly& assembly_;
  Interconnection wiring_;
  lti::StateSpace system_;
  lti::Vector x_;
  double t_;
  double rate_ = 0.0;            // highest frequency of the signals, Hz
  int degree_ = 0;               // of the polynomials: 0 if there are only constants
  std::vector<double> points_;   // in [0, 1]
  lti::Matrix to_coefficients_;  // values at the points -> coefficients
  std::vector<Step> steps_;
  assembly::PortValues ports_;
};

}  // namespace seam::analysis
