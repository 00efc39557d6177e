// Times and steps that cannot be.
#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/two_lags.hpp"

namespace seam::cli {
namespace {

TEST(BadTimes, step_in_kilograms_is_a_problem) {
  EXPECT_TRUE(refused(with("100 ms", "1 kg"), "system.yaml:14:9:", {"step must be a time", "kg is not a time"}));
}

TEST(BadTimes, wrong_step_is_not_also_called_missing) {
  const Folder folder("system.yaml", with("100 ms", "1 kg"));
  EXPECT_EQ(count(folder.seam({"check", "system.yaml"}).err, "is not given"), 0u);
}

TEST(BadTimes, step_flag_in_kilograms_points_into_the_flag) {
  EXPECT_TRUE(refused(two_lags, "--step:1:1:", {"kg is not a time"}, {"--step", "1kg"}));
}

TEST(BadTimes, negative_step_is_a_problem) {
  EXPECT_TRUE(refused(with("100 ms", "-1 ms"), "system.yaml:14:9:", {"greater than zero"}));
}

TEST(BadTimes, zero_step_is_a_problem) {
  EXPECT_TRUE(refused(with("100 ms", "0"), "system.yaml:14:9:", {"greater than zero"}));
}

TEST(BadTimes, nan_step_is_a_problem) {
  EXPECT_TRUE(refused(with("100 ms", ".nan"), "system.yaml:14:9:", {"step must be a time"}));
}

TEST(BadTimes, nan_step_flag_is_a_problem) {
  EXPECT_TRUE(refused(two_lags, "--step:1:1:", {"must be a time"}, {"--step", "nan"}));
}

TEST(BadTimes, infinite_stop_is_a_problem) {
  EXPECT_TRUE(refused(with("stop: 1 s", "stop: .inf"), "system.yaml:12:20:", {"stop must be a"}));
}

TEST(BadTimes, stop_beyond_the_largest_number_is_a_problem) {
  EXPECT_TRUE(refused(with("stop: 1 s", "stop: 1e400"), "system.yaml:12:20:", {"stop"}));
}

TEST(BadTimes, stop_before_start_says_both) {
  EXPECT_TRUE(refused(with("stop: 1 s", "start: 2, stop: 1 s"),
                      "system.yaml:12:30:", {"stop (1 s) must be later than start (2 s)"}));
}

TEST(BadTimes, missing_stop_says_how_to_give_it) {
  EXPECT_TRUE(refused(with("experiment: {stop: 1 s}\n", ""), "system.yaml:1:1:", {"stop time is not given", "--stop"}));
}

TEST(BadTimes, missing_step_says_how_to_give_it) {
  EXPECT_TRUE(refused(with("  step: 100 ms\n", ""), "system.yaml:1:1:", {"macro step is not given", "--step"}));
}

TEST(BadTimes, stop_off_the_grid_of_a_subsystem_that_cannot_shorten_names_both_nearest_stops) {
  EXPECT_TRUE(
      refused("seam: 1\nsubsystems:\n  s: {model: sine, set: {frequency: 1}}\n"
              "  d: {model: delay, set: {time: 0.2}}\nconnections: [s.y -> d.u]\n"
              "experiment:\n  stop: 1.05\nplan: {step: 0.1}\n",
              "system.yaml:7:9:", {"1.05", "\"d\" cannot take a shorter last step", "stop at 1 s or at 1.1 s"}));
}

TEST(BadTimes, solver_step_that_does_not_divide_names_the_nearest_that_do) {
  EXPECT_TRUE(refused(with("model: state-space", "model: state-space\n    solver_step: 30 ms"),
                      "system.yaml:5:18:", {"solver_step 0.03 s does not divide the step 0.1 s", "0.025 s"}));
}

TEST(BadTimes, micro_step_that_does_not_divide_names_the_nearest_that_do) {
  EXPECT_TRUE(refused(and_then("  subsystems: {a: {micro_step: 30 ms}}\n"),
                      "system.yaml:16:32:", {"micro_step 0.03 s does not divide the step 0.1 s", "0.025 s"}));
}

TEST(BadTimes, solver_step_longer_than_the_step_is_a_problem) {
  EXPECT_TRUE(refused(with("model: state-space", "model: state-space\n    solver_step: 1 s"),
                      "system.yaml:5:18:", {"solver_step 1 s does not divide the step 0.1 s"}));
}

TEST(BadTimes, every_that_is_no_multiple_of_the_step_names_the_nearest_that_are) {
  EXPECT_TRUE(refused(and_then("record: {every: 250 ms}\n"), "system.yaml:16:17:", {"not a whole number of steps"}));
}

// Past 9e15 steps the grid has no whole numbers any more: one step of the whole length would be a wrong result.
TEST(BadTimes, more_steps_than_can_be_counted_are_a_problem) {
  EXPECT_TRUE(refused(two_lags, "--stop:1:1:", {"steps"}, {"--stop", "1e10", "--step", "1e-7"}));
}

// 2^32 + 1 solver steps: a count that is cut to 32 bits would be 1.
TEST(BadTimes, more_solver_steps_than_can_be_counted_are_a_problem) {
  const std::string text = with("100 ms", "4.294967297 s", with("stop: 1 s", "stop: 4.294967297 s"));
  EXPECT_TRUE(refused(with("model: state-space", "model: state-space\n    solver: rk4\n    solver_step: 1 ns", text),
                      "system.yaml:6:18:", {"solver_step"}));
}

TEST(BadTimes, more_micro_steps_than_can_be_counted_are_a_problem) {
  const std::string text = with("100 ms", "4.294967297 s", with("stop: 1 s", "stop: 4.294967297 s"));
  EXPECT_TRUE(refused(
      with("  coupling: zoh\n", "  coupling: {foh: {samples: micro}}\n  subsystems: {a: {micro_step: 1 ns}}\n", text),
      "system.yaml:16:32:", {"micro_step"}));
}

}  // namespace
}  // namespace seam::cli
