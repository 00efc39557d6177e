// Plans, records and flags that ask for what there is not.
#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/two_lags.hpp"

namespace seam::cli {
namespace {

TEST(BadPlan, unknown_coupling_is_named_with_the_one_that_was_meant) {
  EXPECT_TRUE(refused(with("coupling: zoh", "coupling: zho"),
                      "system.yaml:15:13:", {"no coupling method \"zho\"", "did you mean \"zoh\"?"}));
}

// The plan says it once, however many connections follow it.
TEST(BadPlan, unknown_coupling_is_said_once) {
  const Folder folder("system.yaml", with("coupling: zoh", "coupling: zho"));
  EXPECT_EQ(count(folder.seam({"check", "system.yaml"}).err, "no coupling method"), 1u);
}

TEST(BadPlan, coupling_flag_with_a_wrong_parameter_points_at_it) {
  EXPECT_TRUE(refused(two_lags, "--coupling:1:5:", {"no parameter \"sample\"", "did you mean \"samples\"?"},
                      {"--coupling", "foh,sample=micro"}));
}

TEST(BadPlan, coupling_flag_with_a_wrong_value_points_at_it) {
  EXPECT_TRUE(refused(two_lags, "--coupling:1:13:", {"\"samples\" cannot be \"nano\"", "macro, micro"},
                      {"--coupling", "foh,samples=nano"}));
}

TEST(BadPlan, feedthrough_flag_with_a_wrong_word_says_the_right_ones) {
  EXPECT_TRUE(refused(two_lags, "--feedthrough:1:1:", {"\"stale\"", "held", "fresh"}, {"--feedthrough", "stale"}));
}

TEST(BadPlan, order_of_gauss_seidel_names_every_subsystem) {
  EXPECT_TRUE(refused(and_then("  schedule: {gauss-seidel: [left]}\n"), "system.yaml:16:13:", {"lacks"}));
}

TEST(BadPlan, unknown_schedule_is_refused_with_the_known_ones) {
  EXPECT_TRUE(refused(and_then("  schedule: newton\n"), "system.yaml:16:13:", {"jacobi", "gauss-seidel"}));
}

TEST(BadPlan, fresh_feedthrough_around_a_loop_names_its_ports) {
  EXPECT_TRUE(
      refused("seam: 1\nsubsystems:\n  g: {model: gain, set: {k: 0.5}}\n  h: {model: gain, set: {k: 0.5}}\n"
              "connections:\n  - g.y -> h.u\n  - h.y -> g.u\n"
              "experiment: {stop: 1}\nplan:\n  step: 0.1\n  feedthrough: fresh\n",
              "system.yaml:11:16:", {"loop", "g.y", "h.y", "held"}));
}

TEST(BadPlan, connection_pattern_that_matches_nothing_is_named) {
  EXPECT_TRUE(refused(and_then("  connections: {\"c.*\": foh}\n"), "system.yaml:16:17:", {"\"c.*\" matches no"}));
}

TEST(BadPlan, subsystem_pattern_that_matches_nothing_is_named) {
  EXPECT_TRUE(
      refused(and_then("  subsystems: {\"c*\": {feedthrough: held}}\n"), "system.yaml:16:16:", {"\"c*\" matches no"}));
}

TEST(BadPlan, two_patterns_equally_specific_are_named_with_what_both_match) {
  EXPECT_TRUE(refused(and_then("  connections: {\"*.u\": foh, \"a.*\": soh}\n"),
                      "system.yaml:16:29:", {"\"*.u\" and \"a.*\" are equally specific", "\"a.u\""}));
}

TEST(BadPlan, record_pattern_that_matches_nothing_is_named) {
  EXPECT_TRUE(refused(and_then("record: {variables: [\"c.*\"]}\n"),
                      "system.yaml:16:22:", {"no variable matches \"c.*\"", "a.y"}));
}

TEST(BadPlan, variables_flag_that_matches_nothing_points_into_the_flag) {
  EXPECT_TRUE(refused(two_lags, "--variables:1:1:", {"no variable matches \"a.z\"", "did you mean \"a.y\"?"},
                      {"--variables", "a.z"}));
}

// What `check` lets pass must run: it looks at all that `run` looks at.
TEST(BadPlan, check_finds_what_run_would_find) {
  const Folder folder("system.yaml", and_then("record: {variables: [\"c.*\"]}\n"));
  const Ran checked = folder.seam({"check", "system.yaml"});
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_EQ(checked.err, folder.seam({"run", "system.yaml"}).err);
}

}  // namespace
}  // namespace seam::cli
