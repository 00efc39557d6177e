// Predictive coupling of FMUs that tell nothing: models and start states from a trial before the run. Errors are those
// of the subsystems' states, by their deviation (dual mass oscillator of Haid et al. 2019, 0.135 s).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "coupling/dual_oscillator.hpp"
#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"
#include "seam/coupling/advance.hpp"

namespace seam::engine {
namespace {

using coupling::Rows;
using coupling::table_counts;
using coupling::table_steps;

/// x1, v1, x2, v2 every macro step.
using Exact = std::function<Rows(double step, int steps)>;

Rows linear_motion(double step, int steps) {
  const coupling::ExactOscillator exact;
  const lti::Matrix transition = lti::exponential(exact.A * step);
  lti::Vector x = exact.x0;
  Rows rows;
  for (int n = 0; n < steps; ++n) {
    x = transition * x;
    rows.push_back({x(0), x(1), x(2), x(3)});
  }
  return rows;
}

/// With the damper of eq. 38 there: by the classical Runge-Kutta method in steps of 2 us.
Rows damped_motion(double step, int steps) {
  using State = std::array<double, 4>;
  const auto rates = [](const State& x) -> State {
    const double speed = x[3] - x[1];
    const double F = 2e5 * (x[2] - x[0]) + std::min(2e2 / std::sqrt(std::max(std::abs(speed), 1e-300)), 1e5) * speed;
    return {x[1], (-1e6 * x[0] - x[1] + F) / 10.0, x[3], (-1e7 * x[2] - 2.0 * x[3] - F) / 10.0};
  };
  const auto moved = [](State x, double by, const State& k) {
    for (std::size_t i = 0; i < 4; ++i) x[i] += by * k[i];
    return x;
  };
  const int inner = static_cast<int>(std::lround(step / 2e-6));
  const double h = step / inner;
  State x = {0.1, 0.0, 0.1, 0.0};
  Rows rows;
  for (int n = 0; n < steps; ++n) {
    for (int k = 0; k < inner; ++k) {
      const State a = rates(x), b = rates(moved(x, 0.5 * h, a)), c = rates(moved(x, 0.5 * h, b)),
                  d = rates(moved(x, h, c));
      for (std::size_t i = 0; i < 4; ++i) x[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
    }
    rows.emplace_back(x.begin(), x.end());
  }
  return rows;
}

class PredictedFmus : public FmuWorkshop {
 protected:
  std::string linear(int version, const std::string& kind = "-poor") const {
    return fmt::format(
        "  I: {{fmu: {}, set: {{m: 10, k: 1e6, d: 1, x0: 0.1, solver: rk4, solver_step: 0.01 ms}}}}\n"
        "  II: {{fmu: {}, set: {{m: 10, k: 1e7, d: 2, kc: 2e5, dc: 2e2, x0: 0.1, solver: rk4, solver_step: 0.01 "
        "ms}}}}\n",
        fmu(version, "two-mass-right" + kind), fmu(version, "two-mass-left" + kind));
  }

  std::string damped(int version) const {
    return fmt::format(
        "  I: {{fmu: {}, set: {{m: 10, k: 1e6, d: 1, x0: 0.1, solver: rk4, solver_step: 0.01 ms}}}}\n"
        "  II: {{fmu: {}, set: {{m: 10, k: 1e7, d: 2, kc: 2e5, dc: 2e2, exponent: -0.5, limit: 1e5, x0: 0.1, solver: "
        "rk4, solver_step: 0.01 ms}}}}\n",
        fmu(version, "two-mass-right-poor"), fmu(version, "mass-power-damper-poor"));
  }

  double score(const std::string& subsystems, const std::string& plan, int column, const Exact& exact) const {
    const System system = open_text(
        fmt::format("seam: 1\nsubsystems:\n{}connections: [I.x1 -> II.x_in, I.v1 -> II.v_in, II.F -> I.F_in]\n"
                    "experiment: {{stop: 10}}\nplan: {{step: {} ms, coupling: zoh, {}}}\n",
                    subsystems, table_steps[column], plan),
        folder_.file("predicted.yaml"), {});
    const Live live = make_live(system, {Horizon::experiment});
    coupling::Memory memory = coupling::start(live.program);
    Rows got;
    for (int n = 0; n < table_counts[column]; ++n) {
      if (coupling::advance(live.program, memory, 1).outcome != base::Outcome::accepted) return INFINITY;
      got.emplace_back();
      for (const int member : {0, 1}) {
        for (const int output : {0, 1})
          got.back().push_back(memory.values[static_cast<std::size_t>(live.program.output_place(member, output))]);
      }
    }
    return coupling::nrmse(got, exact(table_steps[column] * 1e-3, table_counts[column]));
  }
};

TEST_F(PredictedFmus, that_tell_nothing_get_two_constants_and_make_the_monolithic_solution) {
  for (const int version : {2, 3}) {
    for (int column = 0; column < 7; ++column) {
      const double value = score(linear(version), "corrector: predictive", column, linear_motion);
      std::printf("FMI %d, %g ms: %.2g\n", version, table_steps[column], value);
      EXPECT_LT(value, 1e-7) << table_steps[column] << " ms, FMI " << version;
    }
  }
}

TEST_F(PredictedFmus, that_tell_derivatives_need_a_trial_for_their_start_alone) {
  for (const int version : {2, 3}) {
    for (const int column : {1, 6}) {
      const std::string plan = "corrector: {predictive: {model: derivatives}}";
      EXPECT_LT(score(linear(version, ""), plan, column, linear_motion), 1e-7) << version;
    }
  }
}

TEST_F(PredictedFmus, without_models_are_held) {
  for (const std::string kind : {"", "-poor"}) {
    const std::string plan = "corrector: {predictive: {model: none, input: hold, extrapolation: 0}}";
    const double held = score(linear(3, kind), "corrector: none", 1, linear_motion);
    EXPECT_NEAR(score(linear(3, kind), plan, 1, linear_motion), held, 1e-9 * held);
  }
}

// The reference row is that of a prototype that probed once, with motions of nominal size.
TEST_F(PredictedFmus, that_are_not_linear_are_probed_with_the_motions_of_runs) {
  const double reference[] = {.0007, .0015, .0019, .0017, .0032, .0034, .0041};
  for (const int version : {2, 3}) {
    for (int column = 0; column < 7; ++column) {
      const double value = score(damped(version), "corrector: predictive", column, damped_motion);
      std::printf("FMI %d, %g ms: %.4f, zoh %.3f\n", version, table_steps[column], value,
                  score(damped(version), "corrector: none", column, damped_motion));
      EXPECT_LT(value, 2.5 * reference[column]) << table_steps[column] << " ms, FMI " << version;
    }
  }
}

// Built-in models, too: the equations of the start are those of rest, where the damper is stiffest.
TEST_F(PredictedFmus, are_not_alone_built_in_models_that_are_not_linear_are_probed_likewise) {
  const std::string natives =
      "  I: {model: mass-chain, set: {masses: [10], to_ground: {k: 1e6, d: 1}, coupling: {kind: force}, x0: [0.1]}}\n"
      "  II: {model: mass-power-damper, solver: rk4, solver_step: 0.01 ms, set: {mass: 10, to_ground: {k: 1e7, d: 2}, "
      "k: 2e5, d: 2e2, exponent: -0.5, limit: 1e5, x0: 0.1}}\n";
  for (const int column : {1, 3, 6}) {
    const double value = score(natives, "corrector: predictive", column, damped_motion);
    const double by_point = score(natives, "corrector: {predictive: {model: exact}}", column, damped_motion);
    std::printf("%g ms: %.4f, by the equations of the start %.3f\n", table_steps[column], value, by_point);
    EXPECT_LT(value, 0.012) << table_steps[column] << " ms";
    EXPECT_GT(by_point, 10.0 * value) << table_steps[column] << " ms";
  }
}

// They hear one constant a step, whatever the master gives them in between.
TEST_F(PredictedFmus, that_refuse_smaller_steps_say_so_and_get_one_constant_where_that_is_asked_for) {
  for (const int version : {2, 3}) {
    try {
      score(linear(version, "-milliseconds"), "corrector: predictive", 1, linear_motion);
      ADD_FAILURE() << "not refused";
    } catch (const base::Error& error) {
      EXPECT_NE(std::string(error.what()).find("the corrector cannot give I 2 constants a step"), std::string::npos)
          << error.what();
    }
    const std::string hold = "corrector: {predictive: {input: hold}}";
    EXPECT_LT(score(linear(version, "-milliseconds"), hold, 1, linear_motion), 1.1 * 0.0049);
  }
}

// What each order has missed, and the order that was chosen, are part of a saved state.
TEST_F(PredictedFmus, go_on_from_a_saved_state_to_the_bit_while_the_order_is_chosen) {
  const auto ran = [&](const std::string& stop, const RunSettings& settings) {
    run_text(fmt::format("seam: 1\nsubsystems:\n{}connections: [I.x1 -> II.x_in, I.v1 -> II.v_in, II.F -> I.F_in]\n"
                         "experiment: {{stop: {}}}\nplan: {{step: 0.5 ms, coupling: zoh, corrector: {{predictive: "
                         "{{model: none}}}}}}\n",
                         linear(3, ""), stop),
             settings);
    return column(result(), "II.F");
  };
  const std::vector<double> whole = ran("0.05", {});
  RunSettings settings;
  settings.final_state = folder_.file("half.state");
  ran("0.025", settings);
  settings = {};
  settings.initial_state = folder_.file("half.state");
  const std::vector<double> second = ran("0.05", settings);
  ASSERT_GT(second.size(), 40u);
  for (std::size_t i = 0; i < second.size(); ++i) EXPECT_EQ(second[i], whole[whole.size() - second.size() + i]) << i;
}

}  // namespace
}  // namespace seam::engine
