// Inputs of a native subsystem that follow signals known ahead of time: what they are, and for how long they stay so.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "seam/assembly/subsystem.hpp"
#include "seam/ode/input.hpp"

namespace seam::assembly {

class KnownSignals {
 public:
  explicit KnownSignals(std::span<const ode::DrivenInput> driven) : driven_(driven), steady_(driven.size()) {}

  std::span<const ode::DrivenInput> driven() const { return driven_; }

  /// Whether one of them does not change from the begin to the end. It is asked again only where the answer is not
  /// known.
  bool is_steady(double begin, double end, std::size_t number) {
    Steady& steady = steady_[number];
    if (begin >= steady.from && end < steady.until) return true;
    const ode::TimeSignal& signal = *driven_[number].signal;
    steady = {begin, signal.steady_until(begin), signal.at(begin)};
    all_ = {};
    return end < steady.until;
  }
  /// The same of all of them.
  bool are_steady(double begin, double end) {
    if (begin >= all_.from && end < all_.until) [[likely]]
      return true;
    bool steady = true;
    Steady all{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), 0.0};
    for (std::size_t d = 0; d < driven_.size(); ++d) {
      steady = is_steady(begin, end, d) && steady;
      all.from = std::max(all.from, steady_[d].from);
      all.until = std::min(all.until, steady_[d].until);
    }
    all_ = all;
    return steady;
  }
  /// Whether all are known to be at t what they were when somebody asked last, and until when that is so.
  bool are_known(double t) const { return t >= all_.from && t < all_.until; }
  double known_until() const { return all_.until; }

  /// What an input got when somebody asked last.
  double value(std::size_t number, Sources sources) const {
    const ode::DrivenInput& driven = driven_[number];
    return sources == Sources::live ? driven.factor * steady_[number].value + driven.offset : 0.0;
  }

 private:
  /// While `from` <= t < `until` a signal is `value`.
  struct Steady {
    double from = 0.0, until = 0.0, value = 0.0;
  };

  std::span<const ode::DrivenInput> driven_;
  std::vector<Steady> steady_;  // one a signal
  Steady all_;                  // while all are as they are
};

}  // namespace seam::assembly
