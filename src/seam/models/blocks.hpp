// Blocks without states: gain, sum, polynomial, limiter.
#pragma once

#include <string>
#include <vector>

#include "seam/models/model.hpp"
#include "seam/models/piecewise.hpp"

namespace seam::models {

/// Equations without states, one input `u` and one output `y`: what polynomial, limiter and table share.
class StaticOde : public ode::Ode {
 public:
  Sizes sizes() const override { return {0, 1, 1}; }
  Nature nature() const override { return Nature::nonlinear; }
  void derivatives(double, ode::In, ode::In, ode::Out) const override {}
  void outputs(double, ode::In, ode::In u, ode::Out y) const override { y[0] = value(u[0]); }
  bool feeds_through(int, int) const override { return true; }
  JacobianSource jacobian_source() const override { return JacobianSource::analytic; }
  void jacobians(double, ode::In, ode::In u, ode::Jacobians& result) const override {
    result = {{}, {}, {}, {slope(u[0])}};
  }

 private:
  virtual double value(double u) const = 0;
  virtual double slope(double u) const = 0;
};

/// A model of one such equation.
Model static_model(std::unique_ptr<StaticOde> ode, const std::string& unit);

/// y = k u.
Model gain(double k);

/// y = sum of gains[i] u_{i+1}; one input is called `u`, several u1, u2, …
Model sum(const std::vector<double>& gains);

/// y = coefficients[0] + coefficients[1] u + coefficients[2] u^2 + …; none: 0.
Model polynomial(std::vector<double> coefficients);

/// y = u, but at least low and at most high; input and output of this unit.
Model limiter(double low, double high, const std::string& unit);

Model table(Piecewise curve);

}  // namespace seam::models
