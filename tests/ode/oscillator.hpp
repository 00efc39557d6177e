// Equations with closed forms, and inputs to drive them with.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "seam/ode/input.hpp"

namespace seam::ode {

/// m x'' + d x' + k x = u; state (x, v), output x.
class Oscillator : public Ode {
 public:
  Oscillator(double k, double d) : k_(k), d_(d) {}
  Sizes sizes() const override { return {2, 1, 1}; }
  Nature nature() const override { return Nature::linear; }
  void derivatives(double, In x, In u, Out dx) const override {
    dx[0] = x[1];
    dx[1] = -k_ * x[0] - d_ * x[1] + u[0];
  }
  void outputs(double, In x, In, Out y) const override { y[0] = x[0]; }
  bool feeds_through(int, int) const override { return false; }
  std::span<const int> velocity_of() const override { return velocity_of_; }

 private:
  double k_, d_;
  std::array<int, 2> velocity_of_ = {1, -1};
};

class Sine : public TimeSignal {
 public:
  explicit Sine(double w) : w_(w) {}
  double at(double t) const override { return std::sin(w_ * t); }

 private:
  double w_;
};

/// 0 before `time`, 1 from then on.
class Jump : public TimeSignal {
 public:
  explicit Jump(double time) : time_(time) {}
  double at(double t) const override { return t >= time_ ? 1.0 : 0.0; }
  double before(double t) const override { return t > time_ ? 1.0 : 0.0; }
  double next_corner(double t) const override { return t < time_ ? time_ : std::numeric_limits<double>::infinity(); }

 private:
  double time_;
};

inline constexpr double no_input = 0.0;

/// One input, constant over [begin, begin + length].
inline InputSignal constant_input(const double& value, double begin, double length) {
  return {{&value, 0, 1}, {}, begin, length};
}

}  // namespace seam::ode
