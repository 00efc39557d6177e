// Small models made by hand.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "seam/assembly/native.hpp"
#include "seam/models/linear_ode.hpp"

namespace seam::assembly {

/// A signal given by a formula.
class Formula final : public ode::TimeSignal {
 public:
  explicit Formula(std::function<double(double)> value) : value_(std::move(value)) {}
  double at(double t) const override { return value_(t); }

 private:
  std::function<double(double)> value_;
};

inline std::shared_ptr<const ode::TimeSignal> formula(std::function<double(double)> value) {
  return std::make_shared<Formula>(std::move(value));
}

inline lti::Matrix one(double value) { return lti::Matrix::Constant(1, 1, value); }

inline NativeModel linear(const lti::StateSpace& system, std::vector<double> x0, std::vector<int> velocity_of = {}) {
  NativeModel model;
  model.ode = std::make_shared<models::LinearOde>(system, std::move(velocity_of));
  model.x0 = std::move(x0);
  model.solver_step = 0.1;
  return model;
}

/// x' = -x + u, y = 2 x + d u from x = 3.
inline NativeModel lag(double d = 0.5) { return linear({one(-1), one(1), one(2), one(d)}, {3.0}); }

/// x'' = -4 x + u as (x, v), y = (x, v).
inline NativeModel oscillator() {
  lti::StateSpace system;
  system.A = (lti::Matrix(2, 2) << 0, 1, -4, 0).finished();
  system.B = (lti::Matrix(2, 1) << 0, 1).finished();
  system.C = lti::Matrix::Identity(2, 2);
  system.D = lti::Matrix::Zero(2, 1);
  return linear(system, {1.0, 0.5}, {1, -1});
}

/// One call over [begin, begin + length] with the input c[0] + c[1] theta + …; the outputs.
inline std::vector<double> advance(Subsystem& subsystem, Step step, const std::vector<double>& c, std::size_t outputs) {
  std::vector<double> y(outputs);
  const int degree = static_cast<int>(c.size()) - 1;
  subsystem.prepare({step.length, degree}).advance(step, {c.data(), degree, 1}, y);
  return y;
}

}  // namespace seam::assembly
