// Predictive coupling of integrators: what they are given adds up to what their sources did.
#include <algorithm>
#include <cmath>

#include "coupling/dual_oscillator.hpp"
#include "coupling/given_models.hpp"
#include "seam/lti/integrators.hpp"

namespace seam::coupling {
namespace {

using lti::Matrix;

/// Two masses; the second knows the velocity of the first alone, and integrates it to the displacement of its spring.
struct ByVelocity {
  double m1 = 5.0, k1 = 400.0, d1 = 0.02, m2 = 3.0, k2 = 900.0, d2 = 0.02, kc = 300.0, dc = 0.05;

  std::vector<GivenModel> models() const {
    const lti::StateSpace one{Matrix{{0, 1}, {-k1 / m1, -d1 / m1}}, Matrix{{0}, {1 / m1}}, Matrix{{0, 1}}, Matrix{{0}}};
    const lti::StateSpace two{Matrix{{0, 1, 0}, {-(k2 + kc) / m2, -(d2 + dc) / m2, kc / m2}, {0, 0, 0}},
                              Matrix{{0}, {dc / m2}, {1}}, Matrix{{kc, dc, -kc}}, Matrix{{-dc}}};
    return {{0, one, lti::Vector{{1, 0}}}, {1, two, lti::Vector{{0, 0, 1}}}};
  }
  std::string text(const std::string& corrector, const std::string& subsystems = "") const {
    return fmt::format(R"(
subsystems:
  one: {{model: state-space, set: {{A: [[0, 1], [{}, {}]], B: [[0], [{}]], C: [[0, 1]], D: [[0]], x0: [1, 0], inputs: [F], outputs: [v]}}}}
  two: {{model: state-space, set: {{A: [[0, 1, 0], [{}, {}, {}], [0, 0, 0]], B: [[0], [{}], [1]], C: [[{}, {}, {}]], D: [[{}]], x0: [0, 0, 1], inputs: [v], outputs: [F]}}}}
connections: [one.v -> two.v, two.F -> one.F]
plan: {{step: 35 ms, coupling: zoh, corrector: {}{}}}
)",
                       -k1 / m1, -d1 / m1, 1 / m1, -(k2 + kc) / m2, -(d2 + dc) / m2, kc / m2, dc / m2, kc, dc, -kc, -dc,
                       corrector, subsystems);
  }
};

/// What the copy is away from the displacement in 100 s, by the range of that.
double drift(const std::string& text, const std::vector<GivenModel>& models, int ticks = 1) {
  const Given live = given(text, models);
  Memory memory = start(live.program);
  double away = 0.0, least = 0.0, most = 0.0;
  for (int n = 0; n < 2858 / ticks; ++n) {
    if (advance(live.program, memory, ticks).outcome != base::Outcome::accepted) return INFINITY;
    const double x = live.assembly->members[0].subsystem->states()[0];
    away = std::max(away, std::abs(live.assembly->members[1].subsystem->states()[2] - x));
    least = std::min(least, x);
    most = std::max(most, x);
  }
  return away / (most - least);
}

ByVelocity wrong(int signs) {
  ByVelocity result;
  for (double* parameter : {&result.m1, &result.k1, &result.m2, &result.k2, &result.kc}) {
    *parameter *= signs % 2 == 0 ? 0.9 : 1.1;
    signs /= 2;
  }
  return result;
}

TEST(PredictiveSums, keep_what_a_sink_integrates_where_its_source_has_it) {
  for (const char* const order : {"0", "auto"}) {
    for (const char* const input : {"ramp", "pieces"}) {
      double kept = 0.0, not_kept = 0.0;
      for (int signs = 0; signs < 32; ++signs) {
        const std::string form = fmt::format("input: {}, extrapolation: {}", input, order);
        const auto models = wrong(signs).models();
        kept = std::max(kept, drift(ByVelocity().text(fmt::format("{{predictive: {{{}}}}}", form)), models));
        not_kept = std::max(
            not_kept, drift(ByVelocity().text(fmt::format("{{predictive: {{{}, kept_sums: none}}}}", form)), models));
      }
      std::printf("%-6s order %-4s: with sums %.4f, without %.4f\n", input, order, kept, not_kept);
      EXPECT_LT(kept, 0.03) << input << " " << order;
      EXPECT_GT(not_kept, 1.8 * kept) << input << " " << order;
      if (order == std::string("auto") && input == std::string("ramp")) {
        EXPECT_GT(not_kept, 0.03);
      }
    }
  }
}

TEST(PredictiveSums, are_kept_between_steps_of_different_lengths) {
  for (const char* const slow : {"one", "two"}) {
    const std::string subsystems = fmt::format(", subsystems: {{{}: {{step: 70 ms}}}}", slow);
    double kept = 0.0;
    for (int signs = 0; signs < 32; ++signs)
      kept = std::max(kept, drift(ByVelocity().text("predictive", subsystems), wrong(signs).models(), 2));
    std::printf("%s slow: with sums %.4f\n", slow, kept);
    EXPECT_LT(kept, 0.1) << slow;
  }
}

TEST(PredictiveSums, are_kept_only_where_a_state_is_the_integral_of_the_input) {
  const auto models = ByVelocity().models();
  EXPECT_FALSE(lti::integrates(models[0].equations, 0));
  EXPECT_TRUE(lti::integrates(models[1].equations, 0));
  const lti::StateSpace free_mass{Matrix{{0, 1}, {0, 0}}, Matrix{{0, 1}, {2, 0}}, Matrix{{1, 0}}, Matrix{{0, 0}}};
  EXPECT_TRUE(lti::integrates(free_mass, 0));
  EXPECT_FALSE(lti::integrates(free_mass, 1)) << "it moves a state whose rate is another one";
  const Given live = given(ByVelocity().text("predictive"), {});
  const Correction& c = *live.program.correction;
  for (const CorrectedWire& wire : c.wires) EXPECT_EQ(wire.sum >= 0, wire.sink == 1);
  EXPECT_EQ(c.prediction->sums.size(), 1u);
}

}  // namespace
}  // namespace seam::coupling
