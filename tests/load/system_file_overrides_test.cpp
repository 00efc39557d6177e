#include <gtest/gtest.h>

#include "load/system_file_reader.hpp"
#include "seam/load/overrides.hpp"

namespace seam::load {
namespace {

using system::Value;

const char* const file = R"(seam: 1
subsystems:
  rack: {model: m, set: {masses: [1, 2], to_ground: {d: 1, k: 2}, body.m: 5, plain: 1}}
plan: {step: 1 ms}
)";

void apply(system::SystemDescription& description, const std::string& argument, base::Problems& problems) {
  if (const auto change = read_override(argument, problems)) apply_override(description, *change, problems);
}

struct Overridden {
  system::SystemDescription description = read_sound(file);
  base::Problems problems;

  explicit Overridden(const std::string& argument) { apply(description, argument, problems); }
  const Value& value(const std::string& name) const {
    for (const auto& setting : description.subsystems[0].set) {
      if (setting.name == name) return setting.value;
    }
    static const Value none;
    ADD_FAILURE() << "no setting " << name << problems.text();
    return none;
  }
  std::size_t settings() const { return description.subsystems[0].set.size(); }
};

void expect_problem_at(const std::string& argument, int column, const std::string& what) {
  const Overridden changed(argument);
  ASSERT_EQ(changed.problems.size(), 1u) << argument;
  const base::Problem& problem = changed.problems.all()[0];
  EXPECT_EQ(problem.where.source->name, "--set");
  EXPECT_EQ(problem.where.source->lines.at(0), argument);
  EXPECT_EQ(problem.where.column, column) << changed.problems.text();
  EXPECT_NE(problem.what.find(what), std::string::npos) << changed.problems.text();
}

TEST(SystemFileOverrides, setting_is_replaced_or_added) {
  const Overridden replaced("rack.plain=2.5 kg");
  EXPECT_EQ(replaced.value("plain").number, 2.5);
  EXPECT_EQ(replaced.value("plain").unit, "kg");
  EXPECT_EQ(replaced.settings(), 4u);
  const Overridden added("rack.extra=text");
  EXPECT_EQ(added.value("extra").text, "text");
  EXPECT_EQ(added.settings(), 5u);
}

TEST(SystemFileOverrides, values_are_read_as_in_a_file) {
  const Overridden list("rack.masses=[3, 4, 5]");
  ASSERT_EQ(list.value("masses").items.size(), 3u);
  EXPECT_EQ(list.value("masses").items[2].number, 5.0);
  EXPECT_EQ(list.value("masses").items[2].where.column, 20);
  EXPECT_EQ(Overridden("rack.plain=\"7\"").value("plain").kind, Value::Kind::text);
  EXPECT_EQ(Overridden("rack.plain=a=b").value("plain").text, "a=b");
}

TEST(SystemFileOverrides, dotted_parameter_goes_into_the_map_of_that_name) {
  const Overridden changed("rack.to_ground.d=3");
  const Value& map = changed.value("to_ground");
  ASSERT_EQ(map.entries.size(), 2u);
  EXPECT_EQ(map.entries[0].second.number, 3.0);
  EXPECT_EQ(map.entries[1].second.number, 2.0);
}

TEST(SystemFileOverrides, map_is_made_where_there_is_none) {
  const Overridden changed("rack.spring.front.k=3");
  EXPECT_EQ(changed.value("spring").entries.at(0).second.entries.at(0).first, "k");
}

TEST(SystemFileOverrides, setting_whose_whole_name_is_dotted_comes_first) {
  const Overridden changed("rack.body.m=6");
  EXPECT_EQ(changed.value("body.m").number, 6.0);
  EXPECT_EQ(changed.settings(), 4u);
}

TEST(SystemFileOverrides, longest_subsystem_name_is_meant) {
  system::SystemDescription d;
  d.subsystems.resize(2);
  d.subsystems[0].name = "axle";
  d.subsystems[1].name = "axle.left";
  base::Problems problems;
  apply(d, "axle.left.k=1", problems);
  EXPECT_TRUE(d.subsystems[0].set.empty());
  ASSERT_EQ(d.subsystems[1].set.size(), 1u);
  EXPECT_EQ(d.subsystems[1].set[0].name, "k");
}

TEST(SystemFileOverrides, times_of_the_experiment_and_the_plan_can_be_set) {
  EXPECT_EQ(Overridden("experiment.stop=2 min").description.experiment.stop, 120.0);
  EXPECT_EQ(Overridden("experiment.start=1").description.experiment.start, 1.0);
  EXPECT_EQ(Overridden("plan.step=2ms").description.plan.step, 0.002);
  EXPECT_EQ(Overridden("record.every=20 ms").description.record.every, 0.02);
  EXPECT_EQ(Overridden("plan.step={auto: {target: 0.02, around: 5 ms}}").description.plan.auto_step->target, 0.02);
}

TEST(SystemFileOverrides, problems_point_into_the_argument) {
  expect_problem_at("plan.step=1 kg", 11, "kg is not a time");
  expect_problem_at("rak.plain=1", 1, "there is no subsystem \"rak\"");
  expect_problem_at("rack.plain", 1, "no equals sign");
  expect_problem_at("rack.plain=", 11, "no value");
  expect_problem_at("rack=1", 1, "does not say which parameter");
  expect_problem_at("plan.stop=1", 1, "\"plan.stop\" cannot be set");
  expect_problem_at("rack.plain.x=1", 1, "\"plain\" is not a map");
  expect_problem_at("rack..x=1", 1, "is not a path");
  expect_problem_at("=1", 1, "is not a path");
  expect_problem_at("rack.masses=[1, x", 13, "this bracket is never closed");
}

TEST(SystemFileOverrides, caret_stands_under_the_value) {
  EXPECT_EQ(Overridden("plan.step=1 kg").problems.text().find("--set:1:11: plan.step must be a time"), 0u);
}

}  // namespace
}  // namespace seam::load
