// Filters amplify jumps and noise: who asks for them by name on something discrete is refused, who may be hit is told.
#include "seam/coupling/jumping_sources.hpp"

#include <gtest/gtest.h>

#include "coupling/live.hpp"

namespace seam::coupling {
namespace {

const std::string lag = "{model: state-space, set: {A: [[-1]], B: [[1]], C: [[1]], D: [[0]]}}",
                  through = "{model: state-space, set: {A: [[-1]], B: [[1]], C: [[1]], D: [[1]]}}";

std::vector<std::string> notices_of(const std::string& text) { return live(text).assembly->notices; }

TEST(JumpingSources, a_discrete_source_is_refused_where_its_connection_is_named) {
  const auto text = [](const std::string& plan) {
    return "subsystems:\n  s: {model: sine, set: {frequency: 1, sampled: true}}\n  a: " + lag +
           "\nconnections: [s.y -> a.u]\nplan: {step: 10 ms, " + plan + "}\n";
  };
  const std::string said = problems_of(text("connections: {a.u: hinf}"));
  EXPECT_NE(said.find("\"hinf\" is not possible on a.u: s.y is discrete"), std::string::npos) << said;
  EXPECT_EQ(problems_of(text("connections: {a.u: foh}")), "");
  for (const char* plan : {"coupling: hinf", "connections: {\"a.*\": hinf}"})
    EXPECT_TRUE(live(text(plan)).program.receivers.empty()) << plan << ": passed on as sent";
}

std::string fed_by(const std::string& signal, const std::string& first, const std::string& plan) {
  return "subsystems:\n  s: " + signal + "\n  a: " + first + "\n  b: " + lag +
         "\nconnections: [s.y -> a.u, a.y -> b.u]\nplan: {step: 10 ms, " + plan + "}\n";
}

TEST(JumpingSources, a_source_that_follows_a_jump_at_once_is_told_with_what_becomes_of_it) {
  const std::string step = "{model: step, set: {time: 0.1}}";
  const auto said = notices_of(fed_by(step, through, "coupling: hinf"));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0],
            "hinf on b.u: a.y may jump: it follows a.u at once, and that signal jumps. Its compensator multiplies "
            "jumps and noise by 420.3; give it a jump_limit, or use zoh");
  EXPECT_TRUE(notices_of(fed_by(step, lag, "coupling: hinf")).empty()) << "no direct way";
  EXPECT_TRUE(notices_of(fed_by(step, through, "coupling: foh")).empty()) << "no filter";
  EXPECT_TRUE(notices_of(fed_by(step, through, "coupling: {hinf: {jump_limit: 0.1}}")).empty()) << "limited";
  EXPECT_TRUE(notices_of(fed_by("{model: sine, set: {frequency: 1}}", through, "coupling: hinf")).empty()) << "smooth";
}

// It lasts one solver step: where that is a whole macro step, it is no jump.
TEST(JumpingSources, an_impulse_within_a_micro_step_reaches_every_output) {
  const std::string impulse = "{model: impulse, set: {area: 1, time: 0.1}}";
  std::string fine = lag;
  fine.insert(1, "solver: rk4, solver_step: 1 ms, ");
  const auto said = notices_of(fed_by(impulse, fine, "coupling: hinf"));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("a.y may jump: an impulse at a.u makes states jump"), std::string::npos) << said[0];
  EXPECT_TRUE(notices_of(fed_by(impulse, lag, "coupling: hinf")).empty());
}

TEST(JumpingSources, a_held_input_that_goes_through_jumps_at_communication_points_and_a_smoothed_one_does_not) {
  const auto text = [](const std::string& plan) {
    return "subsystems:\n  z: " + lag + "\n  a: " + through + "\n  b: " + lag +
           "\nconnections: [z.y -> a.u, a.y -> b.u, b.y -> z.u]\nplan: {step: 10 ms, " + plan + "}\n";
  };
  const auto said = notices_of(text("coupling: foh, connections: {b.u: hinf}"));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("a.y may jump: it may follow a.u at once, which jumps at communication points"),
            std::string::npos)
      << said[0];
  EXPECT_TRUE(notices_of(text("coupling: hinf")).empty());
}

}  // namespace
}  // namespace seam::coupling
