// Predictive coupling under events of the experiment, limits, rest, and signals that others hear at other rates.
#include <algorithm>
#include <cmath>

#include "coupling/dual_oscillator.hpp"
#include "coupling/live.hpp"

namespace seam::coupling {
namespace {

/// All continuous states at every communication point of the experiment.
Rows states_of_run(const std::string& text) {
  engine::Live made = live(text, engine::Horizon::experiment);
  Memory memory = start(made.program);
  Rows rows;
  for (base::Tick tick = 0; tick < made.program.ticks; ++tick) {
    EXPECT_EQ(advance(made.program, memory, 1).outcome, base::Outcome::accepted);
    rows.emplace_back();
    for (const assembly::Member& member : made.assembly->members) {
      if (!member.subsystem) continue;
      for (const double state : member.subsystem->states()) rows.back().push_back(state);
    }
  }
  return rows;
}

double largest_difference(const Rows& a, const Rows& b) {
  double largest = 0.0;
  for (std::size_t n = 0; n < std::min(a.size(), b.size()); ++n) {
    for (std::size_t s = 0; s < a[n].size(); ++s) largest = std::max(largest, std::abs(a[n][s] - b[n][s]));
  }
  return largest;
}

// Wires that an event overrides some time keep their samples, but no hold writes over what is predicted.
TEST(PredictiveEvents, an_override_that_is_to_come_changes_nothing_before_in_turn_and_at_once) {
  const auto text = [](const std::string& schedule, const std::string& events) {
    return dual_oscillator("coupling: zoh, corrector: predictive, schedule: " + schedule, 2.0) +
           "experiment: {stop: 0.1 s" + events + "}\n";
  };
  const std::string late = ", events: [{from: 80 ms, to: 84 ms, override: {I.F_in: 0}}]";
  const Rows in_turn = states_of_run(text("{gauss-seidel: [I, II]}", late)),
             at_once = states_of_run(text("jacobi", late));
  EXPECT_LT(largest_difference(in_turn, at_once), 1e-9);
  Rows undisturbed = states_of_run(text("jacobi", ""));
  undisturbed.resize(40);
  EXPECT_LT(largest_difference(in_turn, undisturbed), 1e-9);
  EXPECT_GT(largest_difference(at_once, states_of_run(text("jacobi", ""))), 0.1);
}

TEST(PredictiveEvents, what_an_override_or_a_limit_withholds_from_an_integrator_is_not_owed_to_it) {
  const auto text = [](const std::string& corrector, const std::string& events) {
    return fmt::format(R"(
subsystems:
  osc: {{model: mass-chain, set: {{masses: [10], to_ground: {{k: 1000, d: 0}}, x0: [0.1], coupling: {{kind: force}}}}}}
  int: {{model: state-space, set: {{A: [[0]], B: [[1]], C: [[1]], x0: [0.1]}}}}
  k: {{model: state-space, set: {{A: [[-50]], B: [[50]], C: [[1]]}}}}
connections: [osc.v1 -> int.u, int.y -> k.u, {{from: k.y, to: osc.F_in, gain: -1}}]
experiment: {{stop: 3 s{}}}
plan: {{step: 10 ms, coupling: zoh, corrector: {}}}
)",
                       events, corrector);
  };
  const std::string override_it = ", events: [{from: 1 s, to: 1.1 s, override: {int.u: 0}}]";
  const Rows kept = states_of_run(text("predictive", override_it));
  const Rows not_kept = states_of_run(text("{predictive: {kept_sums: none}}", override_it));
  EXPECT_LT(largest_difference(kept, not_kept), 1e-9) << "exact models owe nothing";
}

// The sine is known ahead at every rate: exact models leave what polynomials make of it.
TEST(PredictiveEvents, known_signals_are_known_to_steps_of_all_lengths) {
  const auto run = [](const std::string& plan, std::size_t every) {
    const Rows all = states_of_run(R"(
subsystems:
  force: {model: sine, set: {amplitude: 1000, frequency: 30}}
  I: {model: mass-chain, set: {masses: [10], to_ground: {k: 1e6, d: 100}, coupling: {kind: force}}}
  II: {model: mass-chain, set: {masses: [10], to_ground: {k: 1e5, d: 20}, coupling: {kind: spring, k: 2e5, d: 2e2}}}
connections: [force.y -> I.f1, I.x1 -> II.x_in, I.v1 -> II.v_in, II.F -> I.F_in]
experiment: {stop: 0.24 s}
plan: {coupling: zoh, corrector: predictive, )" +
                                   plan + "}\n");
    Rows rows;
    for (std::size_t n = every; n <= all.size(); n += every) rows.push_back(all[n - 1]);
    return rows;
  };
  const Rows exact = run("step: 0.05 ms", 120);
  for (const char* const plan :
       {"step: 1 ms, subsystems: {II: {step: 3 ms}}", "step: 1 ms, subsystems: {I: {step: 3 ms}}",
        "step: 1 ms, subsystems: {I: {step: 2 ms}, II: {step: 3 ms}}"})
    EXPECT_LT(nrmse(run(plan, 6), exact), 2e-3) << plan;
}

}  // namespace
}  // namespace seam::coupling
