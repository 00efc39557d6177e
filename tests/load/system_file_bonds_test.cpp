#include <gtest/gtest.h>

#include "load/system_file_reader.hpp"
#include "seam/formats/yaml_writer.hpp"
#include "seam/load/plan_file.hpp"
#include "seam/load/resolved_file.hpp"

namespace seam::load {
namespace {

const std::string rod = "{bond: rod, effort: a.f -> b.f, flow: b.v -> a.v, positive: a -> b}";

TEST(SystemFileBonds, bond_is_two_connections_and_a_sign) {
  const ReadFile file = read_with("connections:\n  - a.x -> b.x\n  - " + rod + "\n");
  EXPECT_TRUE(file.problems.empty()) << file.problems.text();
  const system::SystemDescription& d = *file.description;
  ASSERT_EQ(d.connections.size(), 3u);
  ASSERT_EQ(d.bonds.size(), 1u);
  EXPECT_EQ(d.bonds[0].name, "rod");
  EXPECT_EQ(d.connections[static_cast<std::size_t>(d.bonds[0].effort)].to.text, "b.f");
  EXPECT_EQ(d.connections[static_cast<std::size_t>(d.bonds[0].flow)].to.text, "a.v");
  EXPECT_EQ(d.bonds[0].positive, (std::pair<std::string, std::string>{"a", "b"}));
  EXPECT_EQ(d.bonds[0].where.line, 6);
}

TEST(SystemFileBonds, halves_may_have_the_long_form) {
  const ReadFile file =
      read_with("connections: [{bond: rod, effort: {from: a.f, to: b.f, gain: -1}, flow: b.v -> a.v}]\n");
  EXPECT_TRUE(file.problems.empty()) << file.problems.text();
  EXPECT_EQ(file.description->connections.at(0).gain, -1.0);
  EXPECT_FALSE(file.description->bonds.at(0).positive);
}

TEST(SystemFileBonds, what_is_missing_or_unknown_is_a_problem) {
  expect_problem(read_with("connections: [{bond: r, effort: a.f -> b.f}]"), 4, 15, "does not say \"flow\"");
  expect_problem(read_with("connections: [{bond: r, effort: a.f, flow: b.v -> a.v}]"), 4, 33, "must have one arrow");
  expect_problem(read_with("connections: [{bond: r, efort: a.f -> b.f, effort: a.f -> b.f, flow: b.v -> a.v}]"), 4, 25,
                 "\"efort\" is not a key of a bond");
  expect_problem(read_with("connections: [{bond: r, effort: \"a.{f, g} -> b.{f, g}\", flow: b.v -> a.v}]"), 4, 33,
                 "is one connection");
  expect_problem(read_with("connections: [{bond: r, effort: a.f -> b.f, flow: b.v -> a.v, positive: a}]"), 4, 73,
                 "must have one arrow");
  expect_problem(read_with("bonds: []"), 4, 1, "\"bonds\" is not a key of a system file");
}

TEST(SystemFileBonds, printed_file_has_them_and_reads_the_same) {
  const std::string text = "seam: 1\nsubsystems: {a: {model: m}, b: {model: m}}\nconnections:\n  - a.x -> b.x\n  - " +
                           rod +
                           "\n  - {bond: other, effort: {from: a.g, to: b.g, gain: 2}, flow: b.w -> a.w}\n"
                           "record: {coupling: [energy, defect]}\n";
  const auto first = read_sound(text);
  const std::string printed = resolved_text(first, nullptr);
  EXPECT_NE(printed.find("bond: rod"), std::string::npos) << printed;
  EXPECT_NE(printed.find("positive: a -> b"), std::string::npos) << printed;
  const auto second = read_sound(printed);
  EXPECT_EQ(resolved_text(second, nullptr), resolved_text(read_sound(resolved_text(second, nullptr)), nullptr));
  ASSERT_EQ(second.bonds.size(), 2u);
  EXPECT_EQ(second.connections.at(static_cast<std::size_t>(second.bonds[1].effort)).gain, 2.0);
  EXPECT_EQ(second.record.coupling, first.record.coupling);
  EXPECT_TRUE(second.record.wants(system::CouplingRecord::energy));
}

TEST(SystemFileBonds, plan_file_names_connections_and_makes_none) {
  base::Problems problems;
  const PlanSections plan = read_plan_text("seam: 1\nbonds: [" + rod + "]\n", "p.yaml", problems);
  const auto d = read_system_text("seam: 1\nsubsystems: {a: {model: m}, b: {model: m}}\nconnections: [a.f -> b.f]\n",
                                  "s.yaml", problems, {plan});
  EXPECT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(d->connections.size(), 1u);
  ASSERT_EQ(d->bonds.size(), 1u);
  EXPECT_EQ(d->bonds[0].flow_ends->from.text, "b.v");
  EXPECT_EQ(d->bonds[0].effort, -1);
}

TEST(SystemFileBonds, plan_file_cannot_alter_a_connection) {
  base::Problems problems;
  const PlanSections plan = read_plan_text(
      "seam: 1\nbonds: [{bond: r, effort: {from: a.f, to: b.f, gain: 2}, flow: b.v -> a.v}]\n", "p.yaml", problems);
  read_system_text("seam: 1\nsubsystems: {a: {model: m}}\n", "s.yaml", problems, {plan});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems.text().find("\"gain\" is not a key of a connection that a plan file names"), std::string::npos)
      << problems.text();
}

TEST(SystemFileBonds, what_is_written_for_a_plan_file_reads_there) {
  auto first = read_sound("seam: 1\nsubsystems: {a: {model: m}, b: {model: m}}\nconnections: [" + rod + "]\n");
  base::Problems problems;
  const PlanSections plan = read_plan_text(
      formats::to_yaml(formats::Value::object({{"seam", 1}, {"bonds", bonds_value(first)}})), "p.yaml", problems);
  system::SystemDescription d;
  apply(plan, d, problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  ASSERT_EQ(d.bonds.size(), 1u);
  EXPECT_EQ(d.bonds[0].effort_ends->to.text, "b.f");
  EXPECT_EQ(d.bonds[0].positive, first.bonds[0].positive);
}

TEST(SystemFileBonds, design_turns_a_bond_round) {
  base::Problems problems;
  const auto d =
      read_system_text("seam: 1\nsubsystems: {a: {model: m}, b: {model: m}}\nconnections: [a.x -> b.x, " + rod +
                           "]\ndesigns: {turned: {connections: [{bond: rod, effort: b.f -> a.f, flow: a.v "
                           "-> b.v, positive: b -> a}]}}\n",
                       "s.yaml", problems, {{}, "turned"});
  EXPECT_TRUE(problems.empty()) << problems.text();
  ASSERT_EQ(d->connections.size(), 3u);
  ASSERT_EQ(d->bonds.size(), 1u);
  EXPECT_EQ(d->connections[static_cast<std::size_t>(d->bonds[0].effort)].to.text, "a.f");
}

TEST(SystemFileBonds, record_coupling_knows_its_words) {
  EXPECT_TRUE(read_with("record: {coupling: [defect]}").problems.empty());
  expect_problem(read_with("record: {coupling: [enregy]}"), 4, 21, "enregy");
  expect_problem(read_with("record: {coupling: [energy, energy]}"), 4, 29, "stands twice");
}

}  // namespace
}  // namespace seam::load
