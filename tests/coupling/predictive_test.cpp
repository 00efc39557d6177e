// Predictive coupling by exact models: what it reaches, and what it refuses.
#include <sstream>

#include "coupling/dual_oscillator.hpp"
#include "seam/analysis/stability.hpp"

namespace seam::coupling {
namespace {

const std::string ramp = "coupling: zoh, corrector: predictive";
const std::string hold = "coupling: zoh, corrector: {predictive: {input: hold}}";

TEST(Predictive, by_exact_models_and_ramps_is_the_monolithic_solution) {
  for (int column = 0; column < 7; ++column)
    EXPECT_LT(score(ramp, column, Scored::states), 1e-9) << table_steps[column] << " ms";
}

// One constant as predicted for the middle of the step, beside what a prototype of the method measured.
TEST(Predictive, by_exact_models_and_one_constant_misses_what_that_cannot_follow) {
  const double reference[] = {.0012, .0049, .0108, .0188, .0287, .0413, .134};
  for (int column = 0; column < 7; ++column) {
    const double value = score(hold, column, Scored::states);
    EXPECT_LT(value, 1.1 * reference[column]) << table_steps[column] << " ms";
    EXPECT_GT(value, 0.9 * reference[column]) << table_steps[column] << " ms";
    EXPECT_LT(value, 0.02 * score("coupling: zoh", column, Scored::states)) << table_steps[column] << " ms";
  }
}

TEST(Predictive, does_not_depend_on_who_steps_first) {
  const std::string in_turn = ", schedule: {gauss-seidel: [I, II]}";
  for (const int column : {1, 6}) {
    EXPECT_LT(score(ramp + in_turn, column, Scored::states), 1e-9);
    EXPECT_NEAR(score(hold + in_turn, column, Scored::states), score(hold, column, Scored::states), 1e-12);
  }
}

// The estimates are signals: their errors decay faster than the coupled motion.
TEST(Predictive, its_step_is_stable_with_the_radius_of_the_coupled_equations) {
  for (int column = 0; column < 7; ++column) {
    const engine::Live live = coupling::live(dual_oscillator(ramp, table_steps[column]));
    EXPECT_TRUE(live.program.map);
    std::string reason;
    const auto stability = analysis::stability(live.program, start(live.program), reason);
    ASSERT_TRUE(stability) << reason;
    double exact = 0.0;
    for (const auto& pole : *stability->monolithic_poles)
      exact = std::max(exact, std::exp(pole.real() * table_steps[column] * 1e-3));
    EXPECT_NEAR(stability->spectral_radius, exact, 1e-7) << table_steps[column] << " ms";
  }
}

TEST(Predictive, refuses_what_it_would_replace_and_steps_of_their_own) {
  EXPECT_NE(problems_of(dual_oscillator("coupling: foh, corrector: predictive", 1.0)).find("which is coupled by foh"),
            std::string::npos);
  EXPECT_NE(problems_of(dual_oscillator(ramp + ", subsystems: {II: {step: 2 ms}}", 1.0)).find("steps of their own"),
            std::string::npos);
  EXPECT_EQ(problems_of(dual_oscillator(ramp, 1.0)), "");
}

}  // namespace
}  // namespace seam::coupling
