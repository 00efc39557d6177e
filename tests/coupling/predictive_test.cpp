// Predictive coupling by exact models: what it reaches, and what it refuses.
#include <sstream>

#include "coupling/dual_oscillator.hpp"
#include "seam/analysis/stability.hpp"
#include "seam/load/assemble.hpp"

namespace seam::coupling {
namespace {

const std::string ramp = "coupling: zoh, corrector: predictive";
const std::string hold = "coupling: zoh, corrector: {predictive: {input: hold}}";
const std::string pieces = "coupling: zoh, corrector: {predictive: {input: pieces}}";

TEST(Predictive, by_exact_models_and_ramps_is_the_monolithic_solution) {
  for (int column = 0; column < 7; ++column)
    EXPECT_LT(score(ramp, column, Scored::states), 1e-9) << table_steps[column] << " ms";
}

TEST(Predictive, by_exact_models_and_as_many_constants_as_states_is_the_monolithic_solution) {
  for (int column = 0; column < 7; ++column)
    EXPECT_LT(score(pieces, column, Scored::states), 1e-9) << table_steps[column] << " ms";
}

/// A mass that a first-order actuator moves, and a mass whose measured force is filtered: three states each.
std::string three_states(const std::string& corrector) {
  return fmt::format(R"(
subsystems:
  a: {{model: state-space, set: {{A: [[0, 1, 0], [-90, -0.5, 10], [0, 0, -30]], B: [[0], [0], [30]], C: [[1, 0, 0]], x0: [1, 0, 0]}}}}
  b: {{model: state-space, set: {{A: [[0, 1, 0], [-40, -0.4, 0], [20, 3, -20]], B: [[0], [25], [0]], C: [[0, 0, 1]], x0: [0, 1, 0]}}}}
connections: [a.y -> b.u, b.y -> a.u]
plan: {{step: 0.1, coupling: zoh, corrector: {{predictive: {}}}}}
)",
                     corrector);
}

/// Of the six states after 100 steps, by the largest that the exact solution has.
double error_of_three_states(const std::string& corrector) {
  lti::Matrix A = lti::Matrix::Zero(6, 6);
  A.topLeftCorner(3, 3) = lti::Matrix{{0, 1, 0}, {-90, -0.5, 10}, {0, 0, -30}};
  A.bottomRightCorner(3, 3) = lti::Matrix{{0, 1, 0}, {-40, -0.4, 0}, {20, 3, -20}};
  A(2, 5) = 30.0;
  A(4, 0) = 25.0;
  const engine::Live live = coupling::live(three_states(corrector));
  Memory memory = start(live.program);
  const lti::Matrix transition = lti::exponential(0.1 * A);
  lti::Vector x{{1, 0, 0, 0, 1, 0}};
  double worst = 0.0, largest = 0.0;
  for (int n = 0; n < 100; ++n) {
    EXPECT_EQ(advance(live.program, memory, 1).outcome, base::Outcome::accepted);
    x = transition * x;
    for (int i = 0; i < 6; ++i) {
      const auto states = live.assembly->members[i < 3 ? 0 : 1].subsystem->states();
      worst = std::max(worst, std::abs(states[static_cast<std::size_t>(i % 3)] - x(i)));
      largest = std::max(largest, std::abs(x(i)));
    }
  }
  return worst / largest;
}

TEST(Predictive, three_constants_hit_three_states_and_two_do_not) {
  EXPECT_LT(error_of_three_states("{input: pieces, pieces: 3}"), 1e-9);
  const double two = error_of_three_states("{input: pieces}");
  std::printf("three states: two constants %.2g, one %.2g\n", two, error_of_three_states("{input: hold}"));
  EXPECT_GT(two, 1e-7);
  EXPECT_LT(two, 0.1 * error_of_three_states("{input: hold}"));
}

TEST(Predictive, splits_the_step_by_its_pieces_and_only_where_they_are_wanted) {
  for (const char* const count : {"2", "3"}) {
    const engine::Live live = coupling::live(dual_oscillator(
        fmt::format("coupling: zoh, corrector: {{predictive: {{input: pieces, pieces: {}}}}}", count), 1.0));
    for (const Lane& lane : live.program.lanes) EXPECT_EQ(lane.segments, std::stoi(count));
  }
  const engine::Live whole = coupling::live(dual_oscillator(ramp, 1.0));
  for (const Lane& lane : whole.program.lanes) EXPECT_EQ(lane.segments, 1);
}

// An input that reaches its limit is cut there, constant by constant.
TEST(Predictive, keeps_every_constant_within_the_limits_of_its_input) {
  const engine::System system = open(three_states("{input: pieces, pieces: 3}"));
  base::Problems problems;
  auto assembly = load::assemble(system.description, system.plan, {}, problems);
  assembly->members[1].inputs.change([](std::vector<system::Port>& ports) {
    ports[0].min = -0.02;
    ports[0].max = 0.02;
  });
  CompileOptions options;
  options.stop = 2.0;
  const auto program = compile(*assembly, system.plan, options, problems);
  ASSERT_TRUE(program) << problems.text();
  Memory memory = start(*program);
  const Lane& b = program->lanes[1];
  bool reached = false;
  for (int n = 0; n < 20; ++n) {
    ASSERT_EQ(advance(*program, memory, 1).outcome, base::Outcome::accepted);
    for (int s = 0; s < 3; ++s) {
      double value = 0.0;
      for (int k = 2; k >= 0; --k)
        value = value * (s / 3.0) + memory.values[static_cast<std::size_t>(b.coefficients + k * b.inputs)];
      EXPECT_LT(std::abs(value), 0.02 + 1e-12);
      reached = reached || std::abs(value) > 0.02 - 1e-12;
    }
  }
  EXPECT_TRUE(reached);
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

TEST(Predictive, refuses_what_it_would_replace_and_courses_of_steps_of_different_lengths) {
  EXPECT_NE(problems_of(dual_oscillator("coupling: foh, corrector: predictive", 1.0)).find("which is coupled by foh"),
            std::string::npos);
  EXPECT_NE(problems_of(dual_oscillator("coupling: zoh, corrector: {predictive: {extrapolation: 1}}, subsystems: {II: "
                                        "{step: 2 ms}}",
                                        1.0))
                .find("does not extrapolate by order 1 where subsystems have steps of their own"),
            std::string::npos);
  EXPECT_NE(problems_of(dual_oscillator("coupling: zoh, corrector: {predictive: {input: ramp, pieces: 3}}", 1.0))
                .find("\"pieces\" says how many constants"),
            std::string::npos);
  EXPECT_EQ(problems_of(dual_oscillator(ramp, 1.0)), "");
}

// What comes back along the chain is so much weaker that the sizes which the gains suggest leave all numbers.
TEST(Predictive, takes_chains_whose_signals_have_no_common_size) {
  constexpr int count = 80;
  std::string text = "subsystems:\n", connections = "connections:\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format("  s{}: {{model: state-space, set: {{A: [[-1]], B: [[{}]], C: [[1]], x0: [{}]}}}}\n", i,
                        i == 0           ? "1e-20"
                        : i + 1 == count ? "1"
                                         : "1, 1e-20",
                        i == 0 ? 1 : 0);
  for (int i = 0; i + 1 < count; ++i) {
    connections += fmt::format("  - s{}.y -> s{}.{}\n", i, i + 1, i + 2 == count ? "u" : "u1");
    connections += fmt::format("  - s{}.y -> s{}.{}\n", i + 1, i, i == 0 ? "u" : "u2");
  }
  const engine::Live live =
      coupling::live(text + connections + "plan: {step: 100 ms, coupling: zoh, corrector: predictive}\n");
  Memory memory = start(live.program);
  EXPECT_EQ(advance(live.program, memory, 10).outcome, base::Outcome::accepted);
  double factorial = 1.0;
  for (int i = 0; i < 5; ++i, factorial *= i)
    EXPECT_NEAR(output(live.program, memory, i), std::exp(-1.0) / factorial, 1e-9) << i;
}

/// The dual oscillator at rest under a force of 30 Hz on the first mass, 0.2 s: how far it is from where tiny steps
/// bring it.
double error_under_force(const std::string& corrector, double step_ms) {
  const auto run = [](const std::string& plan, double every) {
    const engine::Live live = coupling::live(fmt::format(R"(
subsystems:
  I: {{model: mass-chain, set: {{masses: [10], to_ground: {{k: 1e6, d: 100}}, coupling: {{kind: force}}}}}}
  II: {{model: mass-chain, set: {{masses: [10], to_ground: {{k: 1e7, d: 200}}, coupling: {{kind: spring, k: 2e5, d: 2e2}}}}}}
  f: {{model: sine, set: {{amplitude: 1000, frequency: 30}}}}
connections: [I.x1 -> II.x_in, I.v1 -> II.v_in, II.F -> I.F_in, f.y -> I.f1]
plan: {{step: {} ms, coupling: zoh{}}}
)",
                                                         every, plan));
    Memory memory = start(live.program);
    std::vector<double> x;
    while (x.size() < static_cast<std::size_t>(std::lround(200.0 / every))) {
      EXPECT_EQ(advance(live.program, memory, 1).outcome, base::Outcome::accepted);
      x.push_back(output(live.program, memory, 0));
    }
    return x;
  };
  const std::vector<double> got = run(", corrector: {predictive: " + corrector + "}", step_ms);
  const std::vector<double> exact = run(", corrector: predictive", 0.05);
  double error = 0.0, size = 0.0;
  for (std::size_t n = 0; n < got.size(); ++n) {
    const double value = exact[static_cast<std::size_t>(std::lround(static_cast<double>(n + 1) * step_ms / 0.05)) - 1];
    error += (got[n] - value) * (got[n] - value);
    size += value * value;
  }
  return std::sqrt(error / size);
}

// A ramp follows the sine to the second order; a signal that is not known is seen a step later.
TEST(Predictive, knows_the_signals_that_drive_built_in_models_ahead) {
  for (const char* const corrector : {"{input: ramp}", "{input: pieces}"}) {
    const double one = error_under_force(corrector, 1.0), two = error_under_force(corrector, 2.0);
    std::printf("under a force of 30 Hz, %s: %.2g at 1 ms, %.2g at 2 ms\n", corrector, one, two);
    EXPECT_LT(one, 0.01);
    EXPECT_GT(two / one, 3.0);
  }
}

}  // namespace
}  // namespace seam::coupling
