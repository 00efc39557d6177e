// Signals known ahead of time: what a source gives at every instant, not only at communication points.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "seam/models/model.hpp"
#include "seam/models/piecewise.hpp"

namespace seam::models {

/// An instant at which something changes, on the time grid of its reader: times that differ from it by less than
/// the tolerance are that instant, because t0 + n*h is rounded.
struct Edge {
  double time = 0.0;
  double tolerance = 0.0;

  bool reached(double t) const { return t >= time - tolerance; }  ///< at t or before it
  bool passed(double t) const { return t > time + tolerance; }    ///< strictly before t
  /// The end of the time before it, and `then` of the time behind it; t itself at the instant.
  double steady_until(double t, double then) const { return !reached(t) ? time - tolerance : passed(t) ? then : t; }
};

class ConstantSignal final : public ode::TimeSignal {
 public:
  explicit ConstantSignal(double value) : value_(value) {}
  double at(double) const override { return value_; }
  double steady_until(double) const override { return std::numeric_limits<double>::infinity(); }

 private:
  double value_;
};

/// `low` until the edge, `high` from then on.
class StepSignal final : public ode::TimeSignal {
 public:
  StepSignal(Edge edge, double low, double high) : edge_(edge), low_(low), high_(high) {}
  double at(double t) const override { return edge_.reached(t) ? high_ : low_; }
  double before(double t) const override { return edge_.passed(t) ? high_ : low_; }
  double next_corner(double t) const override;
  double steady_until(double t) const override {
    return edge_.steady_until(t, std::numeric_limits<double>::infinity());
  }
  std::shared_ptr<const TimeSignal> fitted(double solver_step) const override;

 private:
  Edge edge_;
  double low_, high_;
};

/// `area` at `time`: as it is, nothing can be seen of it; fitted to a solver step it is area/step for one step.
class ImpulseSignal final : public ode::TimeSignal {
 public:
  ImpulseSignal(double area, double time) : area_(area), time_(time) {}
  double at(double) const override { return 0.0; }
  double next_corner(double t) const override;
  double steady_until(double) const override { return std::numeric_limits<double>::infinity(); }
  std::shared_ptr<const TimeSignal> fitted(double solver_step) const override;

 private:
  double area_, time_;
};

/// offset, and from `start` on offset + amplitude sin(2 pi frequency (t - start) + phase).
struct Sine {
  double amplitude = 1.0, frequency = 1.0, phase = 0.0, offset = 0.0, start = 0.0;  ///< frequency in Hz, phase in rad
};

class SineSignal final : public ode::TimeSignal {
 public:
  explicit SineSignal(const Sine& sine, double tolerance = 0.0) : sine_(sine), edge_{sine.start, tolerance} {}
  double at(double t) const override;
  double before(double t) const override;
  double next_corner(double t) const override;
  double rate() const override { return std::abs(sine_.frequency); }
  std::shared_ptr<const TimeSignal> fitted(double solver_step) const override;

 private:
  double running(double t) const;

  Sine sine_;
  Edge edge_;
};

/// amplitude sin(2 pi (f0 t + (f1 - f0) t²/(2 T))) on [0, T]; then on at f1 with continuous phase; before 0 at f0.
struct Chirp {
  double f0 = 1.0, f1 = 1.0, duration = 1.0, amplitude = 1.0;
};

class ChirpSignal final : public ode::TimeSignal {
 public:
  explicit ChirpSignal(const Chirp& chirp) : chirp_(chirp) {}
  double at(double t) const override;
  double rate() const override { return std::max(std::abs(chirp_.f0), std::abs(chirp_.f1)); }
  double next_corner(double t) const override;

 private:
  Chirp chirp_;
};

/// So many tones of equal size, in the middles of equal parts of the band, with the phases of Schroeder (1970,
/// doi:10.1109/TIT.1970.1054411), which keep the peaks low. It repeats after 2 tones/(to - from).
struct Multisine {
  double from = 1.0, to = 1.0, rms = 1.0;  ///< Hz, Hz, of the sum
  int tones = 1;
};

class MultisineSignal final : public ode::TimeSignal {
 public:
  explicit MultisineSignal(const Multisine& multisine) : multisine_(multisine) {}
  double at(double t) const override;
  double rate() const override { return std::max(std::abs(multisine_.from), std::abs(multisine_.to)); }

 private:
  Multisine multisine_;
};

/// Values at times, clamped outside; two values at one time are a jump.
class TableSignal final : public ode::TimeSignal {
 public:
  TableSignal(std::vector<double> times, std::vector<double> values, Piecewise::Between between);
  double at(double t) const override;
  double before(double t) const override;
  double next_corner(double t) const override;
  std::shared_ptr<const TimeSignal> fitted(double solver_step) const override;

 private:
  /// The number of the value before the jump at t, to the tolerance; -1: there is none.
  int jump_at(double t) const;

  std::shared_ptr<const Piecewise> table_;  ///< one for all that are fitted to a solver step
  bool jumps_;
  Piecewise::Between between_;
  double tolerance_ = 0.0;
};

/// A source with one output `y` of this unit.
Model source(std::shared_ptr<const ode::TimeSignal> signal, const std::string& unit);

}  // namespace seam::models
