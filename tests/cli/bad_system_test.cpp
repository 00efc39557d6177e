// Subsystems and connections that do not fit.
#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/two_lags.hpp"

namespace seam::cli {
namespace {

TEST(BadSystem, unknown_model_is_named_with_the_one_that_was_meant) {
  EXPECT_TRUE(refused(with("state-space", "state-spce"),
                      "system.yaml:4:12:", {"no model \"state-spce\"", "did you mean \"state-space\"?"}));
}

TEST(BadSystem, unknown_parameter_is_named_with_the_one_that_was_meant) {
  EXPECT_TRUE(refused(with("C: [[1]], x0", "C: [[1]], xo"),
                      "system.yaml:5:42:", {"no parameter \"xo\"", "did you mean \"x0\"?"}));
}

TEST(BadSystem, missing_parameter_is_named) {
  EXPECT_TRUE(refused(with("A: [[-1]], ", ""), "system.yaml:4:12:", {"needs the parameter \"A\""}));
}

TEST(BadSystem, unknown_port_is_named_with_the_one_that_was_meant) {
  EXPECT_TRUE(refused(with("a.y ->", "a.z ->"), "system.yaml:10:5:", {"\"a\" has no output \"z\"", "known: y"}));
}

TEST(BadSystem, unknown_subsystem_in_a_connection_is_named) {
  EXPECT_TRUE(refused(with("a.y ->", "lag.y ->"), "system.yaml:10:5:", {"no subsystem \"lag\""}));
}

TEST(BadSystem, connection_the_wrong_way_round_says_turn_it_round) {
  EXPECT_TRUE(refused(with("a.y -> b.u", "b.u -> a.y"),
                      "system.yaml:10:12:", {"\"a.y\" is an output", "turn it round:  a.y -> b.u"}));
}

TEST(BadSystem, two_sources_for_one_input_name_both_lines) {
  EXPECT_TRUE(refused(with("  - b.y -> a.u\n", "  - b.y -> a.u\n  - a.y -> a.u\n"),
                      "system.yaml:12:12:", {"\"a.u\" has two sources", "line 11", "line 12"}));
}

TEST(BadSystem, unconnected_input_without_start_value_is_named) {
  EXPECT_TRUE(refused(with("  - b.y -> a.u\n", ""), "system.yaml:3:3:", {"\"a.u\" is not connected", "start value"}));
}

TEST(BadSystem, matrix_of_the_wrong_shape_says_both_shapes) {
  EXPECT_TRUE(
      refused(with("B: [[1]]", "B: [[1], [2]]"), "system.yaml:5:25:", {"\"B\" is 2 x 1", "must be 1 x 1", "states"}));
}

TEST(BadSystem, matrix_with_uneven_rows_is_a_problem) {
  EXPECT_TRUE(refused(with("A: [[-1]]", "A: [[-1, 0], [1]]"), "system.yaml:5:24:", {"row 2 of \"A\" has 1 entries"}));
}

TEST(BadSystem, number_that_is_not_finite_is_a_problem) {
  EXPECT_TRUE(refused(with("x0: [1]", "x0: [1e999]"), "system.yaml:5:47:", {"1e999 is out of the range of a number"}));
}

const std::string mass =
    "seam: 1\nsubsystems:\n  m:\n    model: mass-chain\n    set: {masses: [1 kg], to_ground: {k: 1 N/m}}\n"
    "experiment: {stop: 1}\nplan: {step: 0.1}\n";

TEST(BadSystem, mass_in_metres_says_kg) {
  EXPECT_TRUE(refused(with("1 kg", "1 m", mass), "system.yaml:5:20:", {"\"masses\" cannot be in m", "kg"}));
}

TEST(BadSystem, mass_of_zero_is_a_problem) {
  EXPECT_TRUE(refused(with("1 kg", "0 kg", mass), "system.yaml:5:19:", {"a mass must be more than 0 kg"}));
}

TEST(BadSystem, unknown_solver_is_named_with_the_one_that_was_meant) {
  EXPECT_TRUE(refused(with("model: state-space", "model: state-space\n    solver: rk5"),
                      "system.yaml:5:13:", {"no solver \"rk5\"", "did you mean \"rk4\"?"}));
}

TEST(BadSystem, exact_solver_on_a_nonlinear_model_says_what_to_use) {
  EXPECT_TRUE(
      refused("seam: 1\nsubsystems:\n"
              "  p: {model: pid, solver: exact, set: {kp: 1, ki: 1, low: -1, high: 1}}\n"
              "  c: {model: constant, set: {value: 1}}\n"
              "connections: [c.y -> p.reference, c.y -> p.measurement]\n"
              "experiment: {stop: 1}\nplan: {step: 0.1}\n",
              "system.yaml:3:27:", {"\"exact\" cannot integrate \"p\"", "not linear", "cvode"}));
}

TEST(BadSystem, symplectic_euler_without_positions_is_a_problem) {
  EXPECT_TRUE(refused(with("model: state-space", "model: state-space\n    solver: symplectic-euler"),
                      "system.yaml:5:13:", {"\"symplectic-euler\" cannot integrate \"a\"", "positions"}));
}

TEST(BadSystem, unit_that_does_not_fit_the_other_end_is_a_problem) {
  EXPECT_TRUE(
      refused("seam: 1\nsubsystems:\n"
              "  m: {model: mass-chain, set: {masses: [1], to_ground: {k: 1}}}\n"
              "  l: {model: limiter, set: {low: 0, high: 1, unit: K}}\n"
              "connections:\n  - m.x1 -> l.u\nexperiment: {stop: 1}\nplan: {step: 0.1}\n",
              "system.yaml:6:5:", {"m.x1", "K"}));
}

TEST(BadSystem, name_with_a_dot_is_a_problem) {
  EXPECT_TRUE(refused(with("  a:\n", "  a..b:\n"), "system.yaml:3:3:", {"\"a..b\" cannot name a subsystem"}));
}

TEST(BadSystem, set_flag_with_an_unknown_subsystem_points_into_the_flag) {
  EXPECT_TRUE(refused(two_lags, "--set:1:1:", {"no subsystem \"lag\"", "lag.A=1", "^"}, {"--set", "lag.A=1"}));
}

TEST(BadSystem, set_flag_with_an_unknown_parameter_is_named) {
  EXPECT_TRUE(refused(two_lags, "--set:1:1:", {"no parameter \"Q\""}, {"--set", "a.Q=1"}));
}

TEST(BadSystem, set_flag_without_equals_sign_says_how_to_write_it) {
  EXPECT_TRUE(refused(two_lags, "--set:1:1:", {"path=value"}, {"--set", "a.A"}));
}

TEST(BadSystem, every_problem_is_said_at_once_in_the_order_of_the_file) {
  const std::string text = with("a.y -> b.u", "a.z -> b.u", with("100 ms", "100 kg", with("coupling:", "couplin:")));
  EXPECT_TRUE(refused(text, "system.yaml:10:5:", {"system.yaml:14:9:", "system.yaml:15:3:"}));
  const std::string err = Folder("system.yaml", text).seam({"check", "system.yaml"}).err;
  EXPECT_LT(err.find(":10:5:"), err.find(":14:9:"));
  EXPECT_LT(err.find(":14:9:"), err.find(":15:3:"));
}

}  // namespace
}  // namespace seam::cli
