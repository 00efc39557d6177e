#include "seam/analysis/accuracy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "seam/analysis/stability.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/coupling/filters.hpp"
#include "seam/stepping/run.hpp"
#include "support/pair.hpp"

namespace seam::analysis {
namespace {

constexpr double two_pi = 2.0 * std::numbers::pi;

/// Two lags in a loop, the first pushed by a sine; the second with direct feed-through.
engine::System pushed(double frequency, double step, const std::string& coupling, const std::string& more = {}) {
  return engine::open_text(
      fmt::format(
          "seam: 1\nsubsystems:\n"
          "  push: {{model: sine, set: {{amplitude: 1, frequency: {:.17g}}}}}\n"
          "  a: {{model: state-space, set: {{A: [[0, 1], [-40, -3]], B: [[0, 0], [1, 1]], C: [[1, 0]], D: [[0, 0]], "
          "inputs: [push, u], outputs: [y]}}}}\n"
          "  b: {{model: state-space, set: {{A: [[-4]], B: [[1]], C: [[-20]], D: [[-6]]}}}}\n"
          "connections: [push.y -> a.push, a.y -> b.u, b.y -> a.u]\n"
          "experiment: {{stop: 40}}\nplan: {{step: {:.17g}, coupling: {}{}}}\n",
          frequency, step, coupling, more),
      "pushed.yaml", {});
}

/// The part at the frequency of the push, of each output at communication points: phasors of the second half of a run.
class Phasors final : public stepping::Observer {
 public:
  Phasors(double w, double from) : w_(w), from_(from) {}
  void sample(double t, const stepping::Row& row) override {
    if (t < from_ - 1e-9 || t > 2.0 * from_ - 1e-9) return;  // whole periods
    sums_.resize(row.numbers.size());
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += row.numbers[i] * std::polar(1.0, -w_ * t);
    ++count_;
  }
  std::complex<double> at(std::size_t i) const { return 2.0 * sums_[i] / static_cast<double>(count_); }

 private:
  double w_, from_;
  std::vector<std::complex<double>> sums_;
  int count_ = 0;
};

std::vector<std::complex<double>> run_phasors(const engine::System& system, double frequency, base::Tick every = 1) {
  const engine::Live live = engine::make_live(system, {});
  stepping::RunOptions options;
  for (const stepping::Column& column : stepping::all_columns(live.program)) {
    if (column.direction == stepping::Direction::output && column.name != "push.y") options.columns.push_back(column);
  }
  options.every = every;
  Phasors phasors(two_pi * frequency, 20.0);
  coupling::Memory memory = coupling::start(live.program);
  EXPECT_EQ(stepping::run(live.program, memory, options, {&phasors}).ending, stepping::Ending::completed);
  return {phasors.at(0), phasors.at(1)};
}

Accuracy predicted(const engine::System& system, const Band& band) {
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  coupling::start(live.program);
  std::string reason;
  const auto linear = linear_parts(*live.assembly, 0.0, reason);
  return predict_accuracy({live.program, system.plan}, *linear, {*equation_poles(*live.assembly, 0.0).all, band},
                          reason)
      .value();
}

class PredictedError : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Plans, PredictedError,
                         ::testing::Values("zoh", "foh", "soh", "zoh, feedthrough: fresh", "foh, feedthrough: fresh",
                                           "zoh, schedule: {gauss-seidel: [a, b]}",
                                           "foh, schedule: {gauss-seidel: [b, a]}"));

// The run is the oracle; a step a thousand times finer is its exact solution at this frequency.
TEST_P(PredictedError, of_a_sine_is_what_a_run_has) {
  const double step = 0.02;
  for (const double frequency : {0.25, 1.0, 2.0}) {
    const auto run = run_phasors(pushed(frequency, step, GetParam()), frequency);
    const auto exact = run_phasors(pushed(frequency, step / 400, "soh, feedthrough: fresh"), frequency);
    const Accuracy accuracy = predicted(pushed(frequency, step, GetParam()), {frequency, frequency});
    ASSERT_EQ(accuracy.curve.size(), 1u);
    const std::vector<double>& errors = accuracy.curve.front().of_outputs;
    for (std::size_t i = 0; i < 2; ++i) {
      const double found = std::abs(run[i] - exact[i]) / std::abs(exact[i]);
      EXPECT_NEAR(errors[1 + i], found, 0.03 * found + 2e-4) << GetParam() << " output " << i << " at " << frequency;
    }
  }
}

TEST(Accuracy, a_slower_subsystem_has_the_error_of_its_own_step) {
  const double frequency = 0.5, step = 0.01;
  const char* const names[] = {"a", "b"};
  for (std::size_t slow = 0; slow < 2; ++slow) {
    const std::string plan = fmt::format(", subsystems: {{{}: {{step: 0.04}}}}", names[slow]);
    const engine::System system = pushed(frequency, step, "zoh, feedthrough: fresh", plan);
    const auto run = run_phasors(system, frequency, 4);  // at the points at which it arrives
    const auto exact = run_phasors(pushed(frequency, step / 200, "soh, feedthrough: fresh"), frequency);
    const double found = std::abs(run[slow] - exact[slow]) / std::abs(exact[slow]);
    const Accuracy accuracy = predicted(system, {frequency, frequency});
    EXPECT_NEAR(accuracy.curve.front().of_outputs[1 + slow], found, 1e-3 * found) << names[slow];
  }
}

TEST(Accuracy, falls_with_the_step_as_the_order_of_the_method_says) {
  const auto worst = [](const std::string& coupling, double step) {
    return predicted(pushed(1.0, step, coupling), {0.1, 2.0}).worst();
  };
  EXPECT_NEAR(std::log2(worst("zoh", 2e-3) / worst("zoh", 1e-3)), 1.0, 0.03);
  EXPECT_NEAR(std::log2(worst("foh", 2e-3) / worst("foh", 1e-3)), 2.0, 0.03);
  EXPECT_NEAR(std::log2(worst("soh", 2e-3) / worst("soh", 1e-3)), 3.0, 0.06);
}

TEST(Accuracy, connections_are_ranked_by_what_each_alone_does) {
  const Accuracy accuracy = predicted(pushed(1.0, 0.01, "zoh"), {0.1, 2.0});
  ASSERT_EQ(accuracy.connections.size(), 2u);
  EXPECT_GE(accuracy.connections[0].error, accuracy.connections[1].error);
  EXPECT_GT(accuracy.connections[1].error, 0.0);
  EXPECT_NE(accuracy.excitation.find("known signals"), std::string::npos);
}

/// a, pushed by a sine, sends to b alone, at a step of 0.01 s.
engine::System chain(const std::string& plan) {
  return engine::open_text(
      fmt::format("seam: 1\nsubsystems:\n  push: {{model: sine, set: {{frequency: 1}}}}\n"
                  "  a: {{model: state-space, set: {{A: [[-1]], B: [[1]], C: [[1]]}}}}\n"
                  "  b: {{model: state-space, set: {{A: [[-4]], B: [[1]], C: [[-20]], D: [[-6]]}}}}\n"
                  "connections: [push.y -> a.u, a.y -> b.u]\nexperiment: {{stop: 1}}\nplan: {{step: 0.01, {}}}\n",
                  plan),
      "chain.yaml", {});
}
double of_connection(const std::string& plan, double normalised) {
  return predicted(chain(plan), {100.0 * normalised, 100.0 * normalised}).curve.front().of_inputs;
}

// What is integrated is the polynomial through the samples: the rules of Adams and Bashforth and, where the source has
// stepped first, of Adams and Moulton.
TEST(Accuracy, of_a_connection_is_that_of_the_integral_of_its_hold) {
  struct Rule {
    const char* plan;
    int newest;  ///< steps ahead
    std::vector<double> weights;
  };
  const Rule rules[] = {
      {"coupling: zoh", 0, {1.0}},
      {"coupling: foh", 0, {1.5, -0.5}},
      {"coupling: soh", 0, {23.0 / 12, -16.0 / 12, 5.0 / 12}},
      {"coupling: zoh, schedule: {gauss-seidel: [a, b]}", 1, {1.0}},
      {"coupling: foh, schedule: {gauss-seidel: [a, b]}", 1, {0.5, 0.5}},
      {"coupling: soh, schedule: {gauss-seidel: [a, b]}", 1, {5.0 / 12, 8.0 / 12, -1.0 / 12}},
  };
  for (const Rule& rule : rules) {
    for (const double normalised : {1e-3, 1e-2, 0.1, 0.4}) {
      const std::complex<double> turn(0.0, two_pi * normalised);
      std::complex<double> integral{};
      for (std::size_t i = 0; i < rule.weights.size(); ++i)
        integral += rule.weights[i] * std::exp(turn * (rule.newest - static_cast<double>(i)));
      const double expected = std::abs(turn * integral / (std::exp(turn) - 1.0) - 1.0);
      EXPECT_NEAR(of_connection(rule.plan, normalised), expected, 1e-9 + 1e-7 * expected) << rule.plan << normalised;
    }
  }
}

// Chen et al. 2021, section 3.1: K1 K2 H where nothing but the base band counts.
TEST(Accuracy, of_a_filtered_connection_is_that_of_its_filters_far_below_the_nyquist_frequency) {
  const engine::System system = chain("coupling: hinf");
  const system::Coupling& coupling = system.plan.connections.back();
  for (const double normalised : {3e-3, 0.01}) {
    const std::complex<double> p(0.0, two_pi * normalised);
    const auto value = [&](const coupling::Roots& filter) {
      std::complex<double> result = filter.gain;
      for (const auto& zero : filter.zeros) result *= p - zero;
      for (const auto& pole : filter.poles) result /= p - pole;
      return result;
    };
    const double expected =
        std::abs(value(*coupling::read_roots(coupling.emitter)) * value(coupling::smoothing_filter(coupling.receiver)) *
                     (1.0 - std::exp(-p)) / p -
                 1.0);
    EXPECT_NEAR(of_connection("coupling: hinf", normalised), expected, 0.01 * expected) << normalised;
  }
}

TEST(BandOfMotion, spans_the_oscillations_or_else_the_slowest_decay_whatever_the_step) {
  const std::vector<std::complex<double>> poles = {{-1, two_pi}, {-1, -two_pi}, {-0.1, 10 * two_pi}, {-5, 0}};
  const auto band = band_of_motion(poles);
  ASSERT_TRUE(band);
  EXPECT_NEAR(band->to, 12.0, 0.01);
  EXPECT_NEAR(band->from, 0.1 * std::abs(poles[0]) / two_pi, 1e-12);
  EXPECT_DOUBLE_EQ(below_nyquist(*band, 0.1).to, 5.0);
  const auto decay = band_of_motion({{-5, 0}, {-1000, 0}, {0, 0}});
  ASSERT_TRUE(decay);
  EXPECT_NEAR(decay->to, 15.0 / two_pi, 1e-12);
  EXPECT_FALSE(band_of_motion({{0, 0}}));
}

// Two poles at zero, a body that drifts freely, are split by rounding into a pair of the root of its size.
TEST(BandOfMotion, does_not_reach_down_to_poles_at_zero_that_rounding_has_moved) {
  const auto band = band_of_motion({{-1, 50}, {-1, -50}, {0, 2e-7}, {0, -2e-7}, {1e-13, 0}});
  ASSERT_TRUE(band);
  EXPECT_NEAR(band->from, 0.1 * std::abs(std::complex<double>(-1, 50)) / two_pi, 1e-12);
  const auto decay = band_of_motion({{-5, 0}, {-1e-14, 0}});
  ASSERT_TRUE(decay);
  EXPECT_NEAR(decay->to, 15.0 / two_pi, 1e-12);
}

TEST(Accuracy, of_the_worst_output_can_be_had_alone) {
  const engine::System system = pushed(1.0, 0.02, "foh");
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  coupling::start(live.program);
  std::string reason;
  const auto linear = linear_parts(*live.assembly, 0.0, reason);
  const auto worst = predict_worst_error(live.program, *linear, {*equation_poles(*live.assembly, 0.0).all, {0.1, 2.0}});
  EXPECT_EQ(worst.value(), predicted(system, {0.1, 2.0}).worst());
}

}  // namespace
}  // namespace seam::analysis
