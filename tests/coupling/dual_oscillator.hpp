// The dual mass oscillator of Haid et al. 2019, coupled by any corrector, against its exact solution.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "coupling/live.hpp"
#include "seam/lti/exponential.hpp"

namespace seam::coupling {

/// Macro steps in ms of the paper's tables, and how many of them fill 0.135 s.
inline constexpr double table_steps[] = {0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0};
inline constexpr int table_counts[] = {270, 135, 90, 68, 54, 45, 34};

inline std::string dual_oscillator(const std::string& plan, double step_ms) {
  return fmt::format(R"(
subsystems:
  I:
    model: mass-chain
    set: {{masses: [10], to_ground: {{k: 1e6, d: 1}}, coupling: {{kind: force}}, x0: [0.1]}}
  II:
    model: mass-chain
    set: {{masses: [10], to_ground: {{k: 1e7, d: 2}}, coupling: {{kind: spring, k: 2e5, d: 2e2}}, x0: [0.1]}}
connections: [I.x1 -> II.x_in, I.v1 -> II.v_in, II.F -> I.F_in]
plan: {{step: {} ms, {}}}
)",
                     step_ms, plan);
}

/// Table 1 of the paper, put together by hand: x = (x1, v1, x2, v2), y = (x1, v1, F).
struct ExactOscillator {
  lti::Matrix A{{0, 1, 0, 0}, {-1.2e5, -20.1, 2e4, 20}, {0, 0, 0, 1}, {2e4, 20, -1.02e6, -20.2}};
  lti::Matrix C{{1, 0, 0, 0}, {0, 1, 0, 0}, {-2e5, -2e2, 2e5, 2e2}};
  lti::Vector x0{{0.1, 0, 0.1, 0}};
};

/// Rows of values, one a communication point.
using Rows = std::vector<std::vector<double>>;

/// Root mean square over points and columns of the error by the (population) deviation of the exact column.
inline double nrmse(const Rows& got, const Rows& exact) {
  const std::size_t columns = exact.front().size();
  double sum = 0.0;
  for (std::size_t c = 0; c < columns; ++c) {
    double mean = 0.0, variance = 0.0, error = 0.0;
    for (const auto& row : exact) mean += row[c] / static_cast<double>(exact.size());
    for (const auto& row : exact) variance += (row[c] - mean) * (row[c] - mean);
    for (std::size_t n = 0; n < exact.size(); ++n) error += (got[n][c] - exact[n][c]) * (got[n][c] - exact[n][c]);
    sum += error / variance;
  }
  return std::sqrt(sum / static_cast<double>(columns));
}

enum class Scored { what_sinks_got, states };

inline double score(const std::string& plan, int column, Scored scored = Scored::what_sinks_got) {
  const double step = table_steps[column] * 1e-3;
  const engine::Live live = coupling::live(dual_oscillator(plan, table_steps[column]));
  Memory memory = start(live.program);
  const ExactOscillator exact;
  const lti::Matrix transition = lti::exponential(exact.A * step);
  lti::Vector x = exact.x0;
  Rows got, wanted;
  for (int n = 0; n < table_counts[column]; ++n) {
    if (advance(live.program, memory, 1).outcome != base::Outcome::accepted) return INFINITY;
    x = transition * x;
    const lti::Vector y = exact.C * x;
    if (scored == Scored::states) {
      const auto a = live.assembly->members[0].subsystem->states(), b = live.assembly->members[1].subsystem->states();
      got.push_back({a[0], a[1], b[0], b[1]});
      wanted.push_back({x(0), x(1), x(2), x(3)});
    } else {
      got.emplace_back();
      for (const assembly::Wire& wire : live.assembly->wires)
        got.back().push_back(input(live.program, memory, wire.to, wire.input));
      wanted.push_back({y(0), y(1), y(2)});
    }
  }
  return nrmse(got, wanted);
}

/// A number as it is printed: right if it differs by no more than half of the last digit.
inline void expect_printed(const std::string& printed, double value, const std::string& what) {
  const std::size_t point = printed.find('.'), exponent = printed.find('e');
  const std::size_t decimals = (exponent == std::string::npos ? printed.size() : exponent) - point - 1;
  const double power = exponent == std::string::npos ? 0.0 : std::stod(printed.substr(exponent + 1));
  const double unit = std::pow(10.0, power - static_cast<double>(decimals));
  EXPECT_NEAR(value, std::stod(printed), 0.5001 * unit) << what;
}

}  // namespace seam::coupling
