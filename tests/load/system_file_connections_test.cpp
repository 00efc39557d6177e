#include <gtest/gtest.h>

#include "load/system_file_reader.hpp"
#include "seam/system/resolve.hpp"
#include "seam/system/validate.hpp"

namespace seam::load {
namespace {

std::vector<std::pair<std::string, std::string>> ends(const ReadFile& file) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& connection : file.description->connections)
    result.emplace_back(connection.from.text, connection.to.text);
  return result;
}

using Ends = std::vector<std::pair<std::string, std::string>>;

TEST(SystemFileConnections, arrow_joins_two_paths_verbatim) {
  const ReadFile file = read_with("connections:\n  - a.wheel[1].f -> b.der(x)\n  -   a.x y   ->   b.u\n");
  EXPECT_TRUE(file.problems.empty()) << file.problems.text();
  EXPECT_EQ(ends(file), (Ends{{"a.wheel[1].f", "b.der(x)"}, {"a.x y", "b.u"}}));
}

TEST(SystemFileConnections, each_end_knows_its_place) {
  const ReadFile file = read_with("connections:\n  - a.yy -> b.uuu\n  - \"a.y -> b.u\"\n");
  const auto& connections = file.description->connections;
  EXPECT_EQ(connections[0].from.where.line, 5);
  EXPECT_EQ(connections[0].from.where.column, 5);
  EXPECT_EQ(connections[0].from.where.length, 4);
  EXPECT_EQ(connections[0].to.where.column, 13);
  EXPECT_EQ(connections[0].to.where.length, 5);
  EXPECT_EQ(connections[1].to.where.column, 13);  // the quote counts
}

TEST(SystemFileConnections, braces_stand_for_several_connections) {
  const ReadFile file = read_with("connections:\n  - a.{x, y} -> b.{v,w}\n");
  EXPECT_TRUE(file.problems.empty()) << file.problems.text();
  EXPECT_EQ(ends(file), (Ends{{"a.x", "b.v"}, {"a.y", "b.w"}}));
  EXPECT_EQ(file.description->connections[1].from.where.column, 11);
  EXPECT_EQ(file.description->connections[1].to.where.column, 22);
}

TEST(SystemFileConnections, braces_of_unequal_length_are_a_problem) {
  expect_problem(read_with("connections:\n  - a.{x, y} -> b.{u}\n"), 5, 5,
                 "2 on the left of the arrow, 1 on the right");
  expect_problem(read_with("connections:\n  - a.{x, y} -> b.u\n"), 5, 5, "2 on the left");
}

TEST(SystemFileConnections, broken_braces_are_problems) {
  expect_problem(read_with("connections:\n  - a.{x, y -> b.u\n"), 5, 5, "a brace is not closed");
  expect_problem(read_with("connections:\n  - a.{x,, y} -> b.{u, v, w}\n"), 5, 10, "a name is missing");
  expect_problem(read_with("connections:\n  - a.{} -> b.u\n"), 5, 8, "a name is missing");
}

TEST(SystemFileConnections, line_without_one_arrow_is_a_problem) {
  expect_problem(read_with("connections:\n  - a.y b.u\n"), 5, 5, "must have one arrow");
  expect_problem(read_with("connections:\n  - a.y -> b.u -> a.u\n"), 5, 5, "must have one arrow");
  expect_problem(read_with("connections:\n  - a.y ->\n"), 5, 5, "nothing on one side");
  expect_problem(read_with("connections:\n  - -> b.u\n"), 5, 5, "nothing on one side");
}

TEST(SystemFileConnections, long_form_needs_both_ends) {
  expect_problem(read_with("connections:\n  - {from: a.y}\n"), 5, 5, "does not say \"to\"");
}

TEST(SystemFileConnections, unit_of_the_long_form_is_checked) {
  expect_problem(read_with("connections:\n  - {from: a.y, to: b.u, unit: degC -> kelvins}\n"), 5, 40,
                 "\"kelvins\" is not a known unit");
  expect_problem(read_with("connections:\n  - {from: a.y, to: b.u, unit: degC}\n"), 5, 32, "must have one arrow");
}

TEST(SystemFileConnections, problem_reads_as_the_format_promises) {
  ReadFile file = read_whole(
      "seam: 1\nsubsystems: {vehicle: {model: m}, steer: {model: m}}\nconnections:\n  - vehicle.F_tie -> "
      "steer.F_tie\n");
  file.description->subsystems[0].inputs = {{"F_tie", "N", {}, {}}};
  file.description->subsystems[1].outputs = {{"F_tie", "N", {}, {}}};
  system::resolve_paths(*file.description, file.problems);
  EXPECT_EQ(file.problems.text(),
            "folder/two.yaml:4:22: \"steer.F_tie\" is an output, but it stands on the receiving side\n"
            "   4 |   - vehicle.F_tie -> steer.F_tie\n"
            "     |                      ^^^^^^^^^^^\n"
            "   turn it round:  steer.F_tie -> vehicle.F_tie\n");
}

TEST(SystemFileConnections, two_sources_for_one_input_name_the_lines_of_the_file) {
  ReadFile file = read_with("connections:\n  - a.y -> b.u\n  - b.y -> a.u\n  - b.y -> b.u\n");
  for (auto& subsystem : file.description->subsystems) {
    subsystem.inputs = {{"u", "", {}, {}}};
    subsystem.outputs = {{"y", "", {}, {}}};
  }
  system::resolve_paths(*file.description, file.problems);
  system::validate(*file.description, file.problems);
  expect_problem(file, 7, 12, "\"b.u\" has two sources: \"a.y\" (line 5) and \"b.y\" (line 7)");
}

TEST(SystemFileConnections, units_of_the_file_may_be_used_and_conversion_left_out) {
  const auto d = read_sound(R"(seam: 1
subsystems: {a: {model: m}, b: {model: m}}
units: {furlong: {base: {m: 1}, factor: 201.168}}
connections:
  - {from: a.y, to: b.u, unit: furlong -> m}
  - {from: a.z, to: b.w, unit: as-is}
)");
  ASSERT_EQ(d.units.size(), 1u);
  EXPECT_EQ(d.units[0].unit.factor, 201.168);
  EXPECT_EQ(d.units[0].unit.exponents[1], 1);
  EXPECT_EQ(d.connections[0].from_unit, "furlong");
  EXPECT_EQ(d.connections[1].units, system::UnitConversion::suppressed);
}

TEST(SystemFileConnections, map_translates_whole_numbers_and_truth_values) {
  const auto d = read_sound(R"(seam: 1
subsystems: {a: {model: m}, b: {model: m}}
connections: [{from: a.y, to: b.u, map: {-1: 7, true: false}}]
)");
  ASSERT_EQ(d.connections[0].map.size(), 2u);
  EXPECT_EQ(d.connections[0].map[0].from, -1);
  EXPECT_EQ(d.connections[0].map[0].to, 7);
  EXPECT_EQ(d.connections[0].map[1].from, 1);
  EXPECT_EQ(d.connections[0].map[1].to, 0);
  expect_problem(read_with("connections: [{from: a.y, to: b.u, map: {1: 2.5}}]"), 4, 45,
                 "a map translates whole numbers");
}

}  // namespace
}  // namespace seam::load
