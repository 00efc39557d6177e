// Predictive coupling of subsystems that have steps of their own.
#include <algorithm>
#include <cmath>

#include "coupling/dual_oscillator.hpp"
#include "coupling/given_models.hpp"
#include "seam/analysis/stability.hpp"

namespace seam::coupling {
namespace {

enum class Slow { first, second };

/// The dual oscillator for 0.135 s, with one subsystem that makes a step in `rate` macro steps.
std::string two_rates(const std::string& corrector, Slow slow, int rate, double slow_ms, const char* more = "") {
  return dual_oscillator(
      fmt::format("coupling: zoh, corrector: {{predictive: {}}}, subsystems: {{{}: {{step: {} ms}}}}{}", corrector,
                  slow == Slow::first ? "I" : "II", slow_ms, more),
      slow_ms / rate);
}

/// Of the states where both meet, by their deviation.
double score_of(const std::string& text, int rate, double slow_ms, const std::vector<GivenModel>& models = {}) {
  const Given live = given(text, models);
  Memory memory = start(live.program);
  const ExactOscillator exact;
  const lti::Matrix transition = lti::exponential(exact.A * slow_ms * 1e-3);
  lti::Vector x = exact.x0;
  Rows got, wanted;
  for (int n = 0; n < std::lround(135.0 / slow_ms); ++n) {
    if (advance(live.program, memory, rate).outcome != base::Outcome::accepted) return INFINITY;
    x = transition * x;
    const auto a = live.assembly->members[0].subsystem->states(), b = live.assembly->members[1].subsystem->states();
    got.push_back({a[0], a[1], b[0], b[1]});
    wanted.push_back({x(0), x(1), x(2), x(3)});
  }
  return nrmse(got, wanted);
}

TEST(PredictiveRates, exact_models_make_the_monolithic_solution) {
  for (const Slow slow : {Slow::first, Slow::second}) {
    for (const int rate : {2, 4, 20}) {
      for (const double slow_ms : {1.0, 2.0}) {
        for (const char* const corrector : {"{input: ramp}", "{input: pieces}"}) {
          const double error = score_of(two_rates(corrector, slow, rate, slow_ms), rate, slow_ms);
          std::printf("1 : %-2d, %s slow, %g ms, %s: %.2g\n", rate, slow == Slow::first ? "I" : "II", slow_ms,
                      corrector, error);
          EXPECT_LT(error, 1e-9);
        }
      }
    }
  }
}

TEST(PredictiveRates, models_that_are_ten_percent_wrong_cost_what_they_cost_in_one_rate) {
  for (const Slow slow : {Slow::first, Slow::second}) {
    for (const int rate : {4, 20}) {
      for (const auto& [slow_ms, most] : {std::pair{1.0, 0.07}, {2.0, 0.14}}) {
        double worst = 0.0;
        for (const double factor : {0.9, 1.1}) {
          for (const Wrong& wrong :
               {Wrong{.k1 = factor, .k2 = factor}, Wrong{.m1 = factor, .m2 = factor}, Wrong{.coupling = factor}}) {
            const std::string text = two_rates("{input: pieces, observed: end}", slow, rate, slow_ms);
            worst = std::max(worst, score_of(text, rate, slow_ms, oscillator_models(wrong)));
          }
        }
        std::printf("1 : %-2d, %s slow, %g ms, 10 %% wrong: %.3g\n", rate, slow == Slow::first ? "I" : "II", slow_ms,
                    worst);
        EXPECT_LT(worst, most);
      }
    }
  }
}

TEST(PredictiveRates, do_not_depend_on_who_steps_first) {
  const std::string alone = two_rates("{input: ramp}", Slow::second, 4, 1.0);
  const std::string in_turn = two_rates("{input: ramp}", Slow::second, 4, 1.0, ", schedule: {gauss-seidel: [II, I]}");
  EXPECT_NEAR(score_of(alone, 4, 1.0), score_of(in_turn, 4, 1.0), 1e-12);
}

TEST(PredictiveRates, three_rates_that_seldom_meet_are_stable) {
  const std::string text = R"(
subsystems:
  a: {model: state-space, set: {A: [[0, 1], [-400, -1]], B: [[0, 0], [100, 1]], x0: [1, 0]}}
  b: {model: state-space, set: {A: [[0, 1], [-600, -1]], B: [[0, 0], [100, 1]], x0: [0, 0]}}
  c: {model: state-space, set: {A: [[0, 1], [-100, -2]], B: [[0, 0], [20, 20]], x0: [0, 0]}}
connections: [c.y1 -> a.u1, c.y2 -> a.u2, c.y1 -> b.u1, c.y2 -> b.u2, a.y1 -> c.u1, b.y1 -> c.u2]
plan: {step: 5 ms, coupling: zoh, corrector: predictive, subsystems: {a: {step: 10 ms}, b: {step: 15 ms}}}
)";
  const engine::Live live = coupling::live(text);
  std::string reason;
  const auto stability = analysis::stability(live.program, start(live.program), reason);
  ASSERT_TRUE(stability) << reason;
  double exact = 0.0;
  for (const auto& pole : *stability->monolithic_poles) exact = std::max(exact, std::exp(pole.real() * 0.03));
  EXPECT_NEAR(stability->spectral_radius, exact, 1e-7);
}

}  // namespace
}  // namespace seam::coupling
