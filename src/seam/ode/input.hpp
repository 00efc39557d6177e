// What an input is during a step: a polynomial in time, or a signal known ahead of time. Never just a number.
#pragma once

#include <limits>
#include <memory>

#include "seam/ode/ode.hpp"

namespace seam::ode {

/// u_i(theta) = sum_j coefficients[j*width + i] theta^j.
/// theta = (time since the start of the step)/(its length), in [0, 1].
struct InputPolynomials {
  const double* coefficients = nullptr;
  int degree = 0;
  int width = 0;

  void at(double theta, Out u) const;
};

/// A signal known ahead of time. Right-continuous: at() at a jump is the value after it, before() the value before it.
class TimeSignal {
 public:
  virtual ~TimeSignal() = default;
  virtual double at(double t) const = 0;
  virtual double before(double t) const { return at(t); }
  /// The first time after t at which the signal jumps or has a corner; solvers with error control restart there.
  virtual double next_corner(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
  /// at() and before() are at(t) for all times after t and before this one; t itself where that is not known.
  virtual double steady_until(double t) const { return t; }
  /// The highest frequency of its smooth pieces, Hz: it says how short polynomials in its place must be.
  virtual double rate() const { return 0.0; }
  /// The signal as a subsystem with this solver step sees it, where that matters (an impulse lasts one solver step);
  /// null: as it is.
  virtual std::shared_ptr<const TimeSignal> fitted(double /*solver_step*/) const { return nullptr; }
};

/// An input that follows factor*signal(t) + offset instead of its polynomial.
struct DrivenInput {
  int input = 0;
  const TimeSignal* signal = nullptr;
  double factor = 1.0;
  double offset = 0.0;
  double kept = 0.0;  ///< share of the polynomial that stays: 1 where the signal is added to it
};

/// Changes how one input of the list follows its signal.
void follow(std::span<DrivenInput> driven, int input, double factor, double offset);

/// Which limit is meant at a jump: the start of a solver step looks right, its end looks left.
enum class Side { right, left };

/// All inputs of one call of a solver over [begin, begin + length].
struct InputSignal {
  InputPolynomials polynomials;
  std::span<const DrivenInput> driven;
  double begin = 0.0;
  double length = 0.0;

  void at(double t, Side side, Out u) const;

  /// The place of t in the polynomials: (t - begin)/length.
  double theta(double t) const { return length > 0.0 ? (t - begin) / length : 0.0; }

  /// Only the driven inputs, in u.
  void drive(double t, Side side, Out u) const;
};

}  // namespace seam::ode
