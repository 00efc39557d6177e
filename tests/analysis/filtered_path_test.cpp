#include "seam/analysis/filtered_path.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/chen_compensators.hpp"
#include "seam/analysis/synthesis.hpp"
#include "support/sweep.hpp"

namespace seam::analysis {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

system::Coupling published(const std::string& rule) {
  const Compensator K1 = published_13();
  return testing::filters({K1.zeros, K1.poles, K1.gain}, rule);
}

Complex value_of(const coupling::Roots& filter, Complex p) {
  Complex value = filter.gain;
  for (const Complex& zero : filter.zeros) value *= p - zero;
  for (const Complex& pole : filter.poles) value /= p - pole;
  return value;
}

// A sine through the coupling as it runs, and its part at its own frequency over whole periods.
TEST(FilteredPath, is_what_the_run_makes_of_a_sine) {
  constexpr int n = 10, period = 8, steps = 800;  // of macro steps
  const double phase = 2.0 * pi / period;
  for (const char* rule : {"", "-euler"}) {
    const std::vector<double> heard =
        testing::arriving({published(rule), n, steps}, [&](double t) { return std::sin(phase * t / 0.01); });
    Complex sum{};
    for (int i = (steps - period) * n; i < steps * n; ++i)
      sum += heard[static_cast<std::size_t>(i)] * std::polar(1.0, -phase * i / n);
    const Complex at_points = Complex(0.0, 2.0) * sum / static_cast<double>(period * n);
    const Complex micro(0.0, phase / n), staircase = at_points * (1.0 - std::exp(-micro)) / micro;
    const HoldResponse found = FilteredPath(published(rule), {n, n}, FilteredPath::Sink::stepped).at(phase);
    EXPECT_LT(std::abs(found.over_step - staircase), 1e-10) << rule;
  }
}

// For a sink that follows the signal: K1 with p = (z - 1)/h where it is followed by Euler's rule, K2 and the hold.
TEST(FilteredPath, has_the_closed_form_of_its_filters) {
  constexpr int n = 100;
  const coupling::Roots K2 = coupling::smoothing_filter(published("").receiver);
  const Compensator K1 = published_13();
  for (const double f : {0.001, 0.03, 0.1, 0.3}) {
    const Complex p(0.0, 2.0 * pi * f), held = (1.0 - std::exp(-p)) / p;
    const Complex expected = value_of({K1.zeros, K1.poles, K1.gain}, p) * value_of(K2, p) * held;
    const HoldResponse found = FilteredPath(published(""), {n, n}, FilteredPath::Sink::signal).at(2.0 * pi * f);
    EXPECT_LT(std::abs(found.over_step - expected), 2e-5) << f;  // of parabolas between micro points
    system::Coupling mixed = published("-euler");
    mixed.receiver.name = "smoother-euler";
    const Complex by_euler = (std::exp(p / static_cast<double>(n)) - 1.0) * static_cast<double>(n);
    const Complex sent = value_of({K1.zeros, K1.poles, K1.gain}, by_euler);
    const HoldResponse euler = FilteredPath(mixed, {n, n}, FilteredPath::Sink::signal).at(2.0 * pi * f);
    EXPECT_LT(std::abs(euler.over_step - sent * value_of(K2, by_euler) * held), 0.01 * std::abs(expected)) << f;
    EXPECT_GT(std::abs(euler.over_step - expected), f > 0.01 ? 1e-4 : 0.0) << f;
  }
}

// What is left out between micro points is multiplied by K1(infinity), 6000 here: a parabola would make 0.06 of it.
TEST(FilteredPath, is_near_its_closed_form_with_ten_micro_steps_though_jumps_are_amplified_by_thousands) {
  const Compensator K1 = closed_form(error_system(3), 15.0);
  ASSERT_GT(K1.gain, 5000.0);
  const system::Coupling coupling = testing::filters({K1.zeros, K1.poles, K1.gain});
  const Complex p(0.0, 0.2 * pi);
  const Complex expected = value_of({K1.zeros, K1.poles, K1.gain}, p) *
                           value_of(coupling::smoothing_filter(coupling.receiver), p) * (1.0 - std::exp(-p)) / p;
  const HoldResponse found = FilteredPath(coupling, {10, 10}, FilteredPath::Sink::signal).at(0.2 * pi);
  EXPECT_LT(std::abs(found.over_step - expected), 5e-4);
}

TEST(FilteredPath, leaves_a_jump_limit_out) {
  system::Coupling limited = published("");
  limited.emitter.parameters.emplace_back("jump_limit", 1e-6);
  const HoldResponse free = FilteredPath(published(""), {10, 10}, FilteredPath::Sink::signal).at(0.5),
                     found = FilteredPath(limited, {10, 10}, FilteredPath::Sink::signal).at(0.5);
  EXPECT_EQ(free.over_step, found.over_step);
  EXPECT_EQ(free.at_end, found.at_end);
}

// Ten times as many micro steps on one side change little; a slower or faster sink hears the same samples.
TEST(FilteredPath, depends_on_the_steps_of_both_sides_by_themselves) {
  const Complex even = FilteredPath(published(""), {10, 10}, FilteredPath::Sink::signal).at(0.5).over_step;
  for (const MicroSteps steps : {MicroSteps{100, 10}, {10, 100}, {40, 1}}) {
    const Complex other = FilteredPath(published(""), steps, FilteredPath::Sink::signal).at(0.5).over_step;
    EXPECT_LT(std::abs(other - even), 0.01);
    EXPECT_NE(other, even);
  }
}

}  // namespace
}  // namespace seam::analysis
