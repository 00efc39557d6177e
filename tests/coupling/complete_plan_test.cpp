#include "seam/coupling/complete_plan.hpp"

#include <gtest/gtest.h>

#include "coupling/live.hpp"

namespace seam::coupling {
namespace {

system::Plan plan_of(const std::string& keys, const std::string& plan) {
  return open("subsystems:\n  a: {model: state-space, " + keys +
              "set: {A: [[-1]], B: [[1]]}}\n  b: {model: state-space, set: {A: [[-1]], B: [[1]]}}\n"
              "connections: [a.y -> b.u, b.y -> a.u]\nplan: {step: 0.1" +
              plan + "}\n")
      .plan;
}

TEST(CompletePlan, micro_step_is_a_tenth_of_the_step_unless_the_solver_step_is_finer) {
  EXPECT_DOUBLE_EQ(plan_of("", "").subsystems[0].micro_step, 0.01);
  EXPECT_DOUBLE_EQ(plan_of("solver_step: 0.1, ", "").subsystems[0].micro_step, 0.01);
  EXPECT_EQ(plan_of("solver_step: 0.02, ", "").subsystems[0].micro_step, 0.02);
  EXPECT_EQ(plan_of("solver_step: 0.001, ", "").subsystems[0].micro_step, 0.001);
}

TEST(CompletePlan, what_the_user_says_of_a_subsystem_wins_over_what_is_said_of_all) {
  const system::Plan plan =
      plan_of("solver_step: 0.02, ", ", feedthrough: fresh, subsystems: {a: {micro_step: 0.05, feedthrough: held}}");
  EXPECT_EQ(plan.subsystems[0].micro_step, 0.05);
  EXPECT_EQ(plan.subsystems[0].feedthrough, system::Feedthrough::held);
  EXPECT_EQ(plan.subsystems[1].feedthrough, system::Feedthrough::fresh);
}

TEST(CompletePlan, every_connection_has_a_coupling) {
  const system::Plan plan = plan_of("", ", coupling: foh, connections: {a.u: soh}");
  ASSERT_EQ(plan.connections.size(), 2u);
  EXPECT_EQ(plan.connections[0].name, "foh");
  EXPECT_EQ(plan.connections[1].name, "soh");
}

TEST(CompletePlan, without_a_step_there_is_no_plan) {
  EXPECT_NE(problems_of("subsystems: {a: {model: state-space, set: {A: [[-1]]}}}\n").find("macro step is not given"),
            std::string::npos);
}

}  // namespace
}  // namespace seam::coupling
