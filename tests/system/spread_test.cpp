#include <gtest/gtest.h>

#include "seam/system/resolve.hpp"
#include "system/two_masses.hpp"

namespace seam::system {
namespace {

CouplingRequest named(std::string name) {
  CouplingRequest request;
  request.coupling = MethodRequest{std::move(name), {}, {}};
  return request;
}

// One subsystem with four connected inputs.
SystemDescription four_sinks() {
  SystemDescription d;
  d.subsystems = {subsystem("car", {}, {}), subsystem("ecu", {}, {})};
  d.connections = {connect("s.a", "car.road.z1"), connect("s.b", "car.road.z2"), connect("s.c", "car.brake"),
                   connect("s.d", "ecu.speed")};
  return d;
}

std::vector<std::string> names(const RequestedPlan& plan) {
  std::vector<std::string> result;
  for (const CouplingRequest* request : plan.connections)
    result.push_back(request->coupling ? request->coupling->name : "-");
  return result;
}

TEST(Spread, default_holds_where_nothing_else_is_said) {
  SystemDescription d = four_sinks();
  base::Problems problems;
  EXPECT_EQ(names(spread(d, problems)), (std::vector<std::string>{"-", "-", "-", "-"}));
  d.plan.coupling = named("foh");
  EXPECT_EQ(names(spread(d, problems)), (std::vector<std::string>{"foh", "foh", "foh", "foh"}));
  EXPECT_TRUE(problems.empty());
}

TEST(Spread, name_beats_pattern_and_longer_pattern_beats_shorter) {
  SystemDescription d = four_sinks();
  d.plan.coupling = named("default");
  d.plan.connections = {{"car.road.z1", named("exact"), line(20)},
                        {"car.**", named("short"), line(21)},
                        {"car.road.*", named("long"), line(22)}};
  base::Problems problems;
  EXPECT_EQ(names(spread(d, problems)), (std::vector<std::string>{"exact", "long", "short", "default"}));
  EXPECT_TRUE(problems.empty()) << problems.text();
}

TEST(Spread, one_star_stays_within_a_part_of_the_name) {
  SystemDescription d = four_sinks();
  d.plan.connections = {{"car.*", named("x"), line(20)}};
  base::Problems problems;
  EXPECT_EQ(names(spread(d, problems)), (std::vector<std::string>{"-", "-", "x", "-"}));
}

TEST(Spread, equally_specific_patterns_are_a_problem) {
  SystemDescription d = four_sinks();
  d.plan.connections = {{"car.br*", named("x"), line(20)}, {"car.*ke", named("y"), line(21)}};
  base::Problems problems;
  spread(d, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.all()[0].what, "\"car.br*\" and \"car.*ke\" are equally specific, and \"car.brake\" matches both");
  EXPECT_EQ(problems.all()[0].where.line, 21);
}

TEST(Spread, tie_below_the_best_is_no_problem) {
  SystemDescription d = four_sinks();
  d.plan.connections = {
      {"car.br*", named("x"), line(20)}, {"car.*ke", named("y"), line(21)}, {"car.brake", named("z"), line(22)}};
  base::Problems problems;
  EXPECT_EQ(names(spread(d, problems))[2], "z");
  EXPECT_TRUE(problems.empty());
}

TEST(Spread, pattern_that_matches_nothing_is_a_problem) {
  SystemDescription d = four_sinks();
  d.plan.connections = {
      {"truck.*", named("x"), line(20)}, {"car.brace", named("x"), line(21)}, {"s.a", named("x"), line(22)}};
  d.plan.subsystems = {{"ecus", 0.1, {}, line(23), {}, {}}};
  base::Problems problems;
  spread(d, problems);
  ASSERT_EQ(problems.size(), 4u);
  EXPECT_EQ(problems.all()[0].what, "\"truck.*\" matches no connected input");
  EXPECT_EQ(problems.all()[1].mend, "did you mean \"car.brake\"?");
  EXPECT_NE(problems.all()[2].what.find("is a source"), std::string::npos);
  EXPECT_EQ(problems.all()[2].mend, "write \"car.road.z1\"");
  EXPECT_EQ(problems.all()[3].mend, "did you mean \"ecu\"?");
}

TEST(Spread, subsystem_requests_are_merged_key_by_key) {
  SystemDescription d = four_sinks();
  d.plan.feedthrough = Feedthrough::held;
  d.plan.subsystems = {{"car", 0.25, {}, line(20), line(20), {}},
                       {"*", 0.5, Feedthrough::fresh, line(21), line(21), line(21)}};
  base::Problems problems;
  const RequestedPlan plan = spread(d, problems);
  ASSERT_EQ(plan.subsystems.size(), 2u);
  EXPECT_EQ(plan.subsystems[0].micro_step, 0.25);
  EXPECT_EQ(plan.subsystems[0].feedthrough, Feedthrough::fresh);
  EXPECT_EQ(plan.subsystems[0].feedthrough_where.line, 21);
  EXPECT_EQ(plan.subsystems[1].micro_step, 0.5);
  EXPECT_TRUE(problems.empty());
}

TEST(Spread, feedthrough_of_the_plan_is_the_default_of_all_subsystems) {
  SystemDescription d = four_sinks();
  d.plan.feedthrough = Feedthrough::fresh;
  base::Problems problems;
  EXPECT_EQ(spread(d, problems).subsystems[1].feedthrough, Feedthrough::fresh);
}

SystemDescription with_bond() {
  SystemDescription d = four_sinks();
  Bond bond;
  bond.name = "rod";
  bond.effort = 0;
  bond.flow = 3;
  d.bonds = {bond};
  return d;
}

TEST(Spread, bond_names_both_of_its_connections) {
  SystemDescription d = with_bond();
  d.plan.connections = {{"rod", named("r"), {}}, {"car.**", named("p"), {}}};
  base::Problems problems;
  EXPECT_EQ(names(spread(d, problems)), (std::vector<std::string>{"r", "p", "p", "r"}));
  EXPECT_TRUE(problems.empty()) << problems.text();
}

TEST(Spread, sink_and_bond_by_name_are_equally_specific) {
  SystemDescription d = with_bond();
  d.plan.connections = {{"rod", named("r"), {}}, {"ecu.speed", named("s"), {}}};
  base::Problems problems;
  spread(d, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems.all()[0].what.find("\"rod\" and \"ecu.speed\" are equally specific"), std::string::npos);
}

TEST(Spread, bond_that_was_only_recognised_is_no_name) {
  SystemDescription d = with_bond();
  d.bonds[0].origin = Bond::Origin::units;
  d.plan.connections = {{"rod", named("r"), {}}};
  base::Problems problems;
  spread(d, problems);
  EXPECT_EQ(problems.size(), 1u);
}

}  // namespace
}  // namespace seam::system
