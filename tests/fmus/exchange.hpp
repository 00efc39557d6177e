// Solves an FMU for model exchange as an environment does: a fixed step of rk4, events found by bisection.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "fmus/fmu.hpp"

namespace seam::fmus {

class Exchange {
 public:
  Exchange(Fmu& fmu, std::size_t states, std::size_t indicators) : fmu_(fmu), x(states), z_(indicators) {}

  std::function<void(Fmu&, double t)> inputs = [](Fmu&, double) {};

  /// From Event Mode, where ExitInitializationMode leads.
  void begin(double start = 0.0) {
    t = start;
    handle_events();
    EXPECT_EQ(fmu_.get_states(x), Result::ok);
    remember_domains();
  }

  /// False: the FMU asked for the end.
  bool run(double until, double h) {
    while (t < until - 1e-9 * h && !ended) {
      const double end = std::min({until, t + h, next_event_.value_or(until)});
      step_to(end);
    }
    return !ended;
  }

 private:
  std::vector<double> derivatives(double time, const std::vector<double>& states) {
    std::vector<double> result(states.size());
    place(time, states);
    EXPECT_EQ(fmu_.get_derivatives(result), Result::ok);
    return result;
  }
  void place(double time, const std::vector<double>& states) {
    EXPECT_EQ(fmu_.set_time(time), Result::ok);
    inputs(fmu_, time);
    if (!states.empty()) {
      EXPECT_EQ(fmu_.set_states(states), Result::ok);
    }
  }
  std::vector<double> rk4(double h) {
    const auto ahead = [&](const std::vector<double>& slope, double tau) {
      std::vector<double> result = x;
      for (std::size_t i = 0; i < x.size(); ++i) result[i] += tau * slope[i];
      return result;
    };
    const auto k1 = derivatives(t, x), k2 = derivatives(t + h / 2, ahead(k1, h / 2)),
               k3 = derivatives(t + h / 2, ahead(k2, h / 2)), k4 = derivatives(t + h, ahead(k3, h));
    std::vector<double> result = x;
    for (std::size_t i = 0; i < x.size(); ++i) result[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
    return result;
  }
  std::vector<bool> domains() {
    EXPECT_EQ(fmu_.get_indicators(z_), Result::ok);
    std::vector<bool> result;
    for (const double z : z_) result.push_back(z > 0.0);
    return result;
  }
  void remember_domains() { domains_ = domains(); }
  bool crosses(double h) {
    place(t + h, rk4(h));
    return domains() != domains_;
  }

  void step_to(double end) {
    double h = end - t;
    const bool state_event = crosses(h);
    if (state_event) {
      double before = 0.0;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (before + h);
        (crosses(middle) ? h : before) = middle;
      }
    }
    const std::vector<double> arrived = rk4(h);
    t = state_event ? t + h : end;
    x = arrived;
    place(t, x);
    Wish wish;
    EXPECT_EQ(fmu_.complete_step(wish), Result::ok);
    ended = wish.ends;
    if (ended) return;
    if (state_event || wish.event_mode || (next_event_ && t >= *next_event_)) {
      event_times.push_back(t);
      EXPECT_EQ(fmu_.enter_events(), Result::ok);
      handle_events();
    }
    remember_domains();
  }

  void handle_events() {
    bool reset = false;
    Discrete told;
    do {
      inputs(fmu_, t);
      EXPECT_EQ(fmu_.update(told), Result::ok);
      reset = reset || told.states_reset;
    } while (told.again);
    ended = told.ends;
    next_event_ = told.next_event;
    EXPECT_EQ(fmu_.leave_events(), Result::ok);
    if (reset) {
      EXPECT_EQ(fmu_.get_states(x), Result::ok);
    }
  }

  Fmu& fmu_;

 public:
  double t = 0.0;
  std::vector<double> x;
  std::vector<double> event_times;
  bool ended = false;

 private:
  std::vector<double> z_;
  std::vector<bool> domains_;
  std::optional<double> next_event_;
};

}  // namespace seam::fmus
