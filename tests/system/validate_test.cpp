#include "seam/system/validate.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "seam/system/resolve.hpp"
#include "system/two_masses.hpp"

namespace seam::system {
namespace {

std::vector<base::Problem> problems_of(SystemDescription d) {
  base::Problems problems;
  resolve_paths(d, problems);
  validate(d, problems);
  return problems.all();
}

void expect_one(const SystemDescription& d, const std::string& what) {
  const auto problems = problems_of(d);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].what.find(what), std::string::npos) << problems[0].what;
}

TEST(Validate, sound_system_has_no_problems) {
  SystemDescription d = two_masses();
  d.experiment.stop = 10.0;
  d.plan.step = 1e-3;
  d.plan.subsystems = {{"a", 2.5e-4, {}, {}, {}, {}}};
  d.subsystems[0].solver_step = 1e-4;
  d.record.every = 0.01;
  EXPECT_TRUE(problems_of(d).empty());
}

TEST(Validate, dots_join_legal_names) {
  for (const char* path : {"a", "a.b", "Power-train._1.c"}) EXPECT_TRUE(is_legal_path(path)) << path;
  for (const char* path : {"", ".", "a.", ".a", "a..b", "a.1"}) EXPECT_FALSE(is_legal_path(path)) << path;
}

TEST(Validate, illegal_names_are_problems) {
  for (const char* name : {"", "1a", "a b", "a.b", "-a", "ä", "a[1]"}) EXPECT_FALSE(is_legal_name(name)) << name;
  for (const char* name : {"a", "_", "A-1", "front_axle"}) EXPECT_TRUE(is_legal_name(name)) << name;
  SystemDescription d = two_masses();
  d.subsystems.push_back(subsystem("2nd", {}, {}));
  expect_one(d, "\"2nd\" cannot name a subsystem");
}

TEST(Validate, names_are_unique) {
  SystemDescription d = two_masses();
  d.subsystems.push_back(subsystem("a", {}, {}));
  expect_one(d, "two subsystems \"a\"");
}

TEST(Validate, system_without_subsystems_is_a_problem) { expect_one(SystemDescription{}, "no subsystems"); }

TEST(Validate, two_sources_for_one_input_name_both_lines) {
  SystemDescription d = two_masses();
  d.connections.push_back(connect("b.y", "b.u", 12));
  const auto problems = problems_of(d);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].what, "\"b.u\" has two sources: \"a.y\" (line 10) and \"b.y\" (line 12)");
  EXPECT_EQ(problems[0].where.line, 12);
}

TEST(Validate, one_source_may_feed_many_inputs) {
  SystemDescription d = two_masses();
  d.connections[1].from.text = "a.y";
  EXPECT_TRUE(problems_of(d).empty());
}

TEST(Validate, unconnected_input_needs_a_start_value) {
  SystemDescription d = two_masses();
  d.connections.pop_back();
  const auto problems = problems_of(d);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].what, "the input \"a.u\" is not connected and has no start value");
  d.subsystems[0].inputs.change([](std::vector<Port>& ports) { ports[0].start = 0.0; });
  EXPECT_TRUE(problems_of(d).empty());
}

TEST(Validate, input_with_a_misspelt_source_is_not_called_unconnected) {
  SystemDescription d = two_masses();
  d.connections[0].from.text = "a.yy";
  expect_one(d, "\"a\" has no output \"yy\"");
}

TEST(Validate, step_must_be_positive_and_finite) {
  for (const double step :
       {0.0, -1e-3, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    SystemDescription d = two_masses();
    d.plan.step = step;
    expect_one(d, "step must be a time greater than zero");
  }
}

TEST(Validate, stop_must_be_later_than_start) {
  for (const double stop : {1.0, 0.5, -1.0}) {
    SystemDescription d = two_masses();
    d.experiment.start = 1.0;
    d.experiment.stop = stop;
    expect_one(d, "must be later than start");
  }
  SystemDescription d = two_masses();
  d.experiment.stop = std::numeric_limits<double>::quiet_NaN();
  expect_one(d, "stop must be a finite time");
  d.experiment.start = std::numeric_limits<double>::quiet_NaN();
  expect_one(d, "start must be a finite time");
}

TEST(Validate, micro_step_divides_the_step) {
  SystemDescription d = two_masses();
  d.plan.step = 1e-3;
  for (const double bad : {3e-4, 2e-3, 0.0, -1e-4, std::numeric_limits<double>::quiet_NaN()}) {
    d.plan.subsystems = {{"a", bad, {}, {}, {}, {}}};
    expect_one(d, "micro_step");
  }
  d.plan.subsystems = {{"a", 1e-3 / 7.0, {}, {}, {}, {}}};
  EXPECT_TRUE(problems_of(d).empty());
}

TEST(Validate, solver_step_divides_the_step_and_the_nearest_that_do_are_named) {
  SystemDescription d = two_masses();
  d.plan.step = 1.0;
  d.subsystems[1].solver_step = 0.3;
  const auto problems = problems_of(d);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].what, "solver_step 0.3 s does not divide the step 1 s a whole number of times");
  EXPECT_EQ(problems[0].mend, "0.3333333333333333 s and 0.25 s do");
}

TEST(Validate, every_is_a_multiple_of_the_step) {
  SystemDescription d = two_masses();
  d.plan.step = 0.25;
  for (const double bad : {0.1, 0.3, -0.25, 0.0}) {
    d.record.every = bad;
    expect_one(d, "every");
  }
  d.record.every = 0.75;
  EXPECT_TRUE(problems_of(d).empty());
}

}  // namespace
}  // namespace seam::system
