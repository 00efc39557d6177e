#include "seam/ode/ode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace seam::ode {
namespace {

/// One column of f's and g's Jacobians: the central difference over `variable`, which is restored.
class Differences {
 public:
  Differences(const Ode& ode, double t, In x, In u)
      : ode_(ode),
        t_(t),
        x_(x),
        u_(u),
        low_(ode.sizes().states),
        high_(low_.size()),
        y_low_(ode.sizes().outputs),
        y_high_(y_low_.size()) {}

  void column(double& variable, std::vector<double>& states, std::vector<double>& outputs, int index, int columns) {
    const double value = variable;
    // The cube root of the rounding unit balances rounding against the truncation error of a central difference.
    const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * std::max(1.0, std::abs(value));
    const double above = value + step;
    const double below = value - step;
    variable = above;
    evaluate(high_, y_high_);
    variable = below;
    evaluate(low_, y_low_);
    variable = value;
    for (std::size_t i = 0; i < low_.size(); ++i) states[i * columns + index] = (high_[i] - low_[i]) / (above - below);
    for (std::size_t i = 0; i < y_low_.size(); ++i) {
      outputs[i * columns + index] = (y_high_[i] - y_low_[i]) / (above - below);
    }
  }

 private:
  void evaluate(std::vector<double>& dx, std::vector<double>& y) const {
    ode_.derivatives(t_, x_, u_, dx);
    ode_.outputs(t_, x_, u_, y);
  }

  const Ode& ode_;
  double t_;
  In x_, u_;
  std::vector<double> low_, high_, y_low_, y_high_;
};

}  // namespace

void Ode::jacobians(double t, In x, In u, Jacobians& result) const {
  const Sizes size = sizes();
  std::vector<double> states(x.begin(), x.end());
  std::vector<double> inputs(u.begin(), u.end());
  result.A.assign(static_cast<std::size_t>(size.states) * size.states, 0.0);
  result.B.assign(static_cast<std::size_t>(size.states) * size.inputs, 0.0);
  result.C.assign(static_cast<std::size_t>(size.outputs) * size.states, 0.0);
  result.D.assign(static_cast<std::size_t>(size.outputs) * size.inputs, 0.0);
  Differences differences(*this, t, states, inputs);
  for (int j = 0; j < size.states; ++j) differences.column(states[j], result.A, result.C, j, size.states);
  for (int j = 0; j < size.inputs; ++j) differences.column(inputs[j], result.B, result.D, j, size.inputs);
}

}  // namespace seam::ode
