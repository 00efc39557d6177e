#include "seam/system/resolve.hpp"

#include <gtest/gtest.h>

#include "system/two_masses.hpp"

namespace seam::system {
namespace {

// One source and one sink with these units, joined.
SystemDescription joined(std::string from_unit, std::string to_unit) {
  SystemDescription d;
  d.subsystems = {subsystem("a", {}, {port("y", std::move(from_unit))}),
                  subsystem("b", {port("u", std::move(to_unit))}, {})};
  d.connections = {connect("a.y", "b.u")};
  return d;
}

base::Problems problems_of(SystemDescription& d) {
  base::Problems problems;
  resolve_paths(d, problems);
  return problems;
}

TEST(Resolve, indices_of_both_ends_are_filled) {
  SystemDescription d = two_masses();
  EXPECT_TRUE(problems_of(d).empty());
  EXPECT_EQ(d.connections[1].from.subsystem, 1);
  EXPECT_EQ(d.connections[1].from.port, 0);
  EXPECT_EQ(d.connections[1].to.subsystem, 0);
  EXPECT_EQ(d.connections[1].to.port, 0);
}

TEST(Resolve, port_names_with_dots_brackets_and_blanks_are_verbatim) {
  SystemDescription d;
  d.subsystems = {subsystem("car", {port("der(x)"), port("a b")}, {port("wheel[1].f"), port("wheel[1]")})};
  d.connections = {connect("car.wheel[1].f", "car.der(x)"), connect("car.wheel[1]", "car.a b")};
  EXPECT_TRUE(problems_of(d).empty());
  EXPECT_EQ(d.connections[0].from.port, 0);
  EXPECT_EQ(d.connections[1].from.port, 1);
  EXPECT_EQ(d.connections[1].to.port, 1);
}

TEST(Resolve, longest_subsystem_name_wins) {
  SystemDescription d;
  d.subsystems = {subsystem("axle", {}, {port("left.f")}), subsystem("axle.left", {}, {port("f")}),
                  subsystem("axle.lef", {port("u")}, {port("t.f")})};
  d.connections = {connect("axle.left.f", "axle.lef.u")};
  EXPECT_TRUE(problems_of(d).empty());
  EXPECT_EQ(d.connections[0].from.subsystem, 1);
  EXPECT_EQ(d.connections[0].to.subsystem, 2);
}

TEST(Resolve, unknown_subsystem_is_a_problem_with_the_near_name) {
  SystemDescription d = two_masses();
  d.subsystems[0].name = "chassis";
  d.connections = {connect("chasis.y", "b.u")};
  const base::Problems problems = problems_of(d);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.all()[0].what, "there is no subsystem \"chasis\"");
  EXPECT_EQ(problems.all()[0].mend, "did you mean \"chassis\"?");
  EXPECT_EQ(d.connections[0].to.port, 0);  // the other end is known all the same
}

TEST(Resolve, path_without_a_port_is_a_problem) {
  SystemDescription d = two_masses();
  d.connections = {connect("a", "b.u")};
  EXPECT_NE(problems_of(d).text().find("write subsystem.port"), std::string::npos);
}

TEST(Resolve, unknown_port_is_a_problem_with_the_near_name) {
  SystemDescription d = two_masses();
  d.subsystems[0].outputs = {port("force"), port("speed")};
  d.connections = {connect("a.forse", "b.u")};
  const base::Problems problems = problems_of(d);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.all()[0].what, "\"a\" has no output \"forse\"");
  EXPECT_EQ(problems.all()[0].mend, "did you mean \"force\"?");
}

TEST(Resolve, connection_the_wrong_way_round_is_one_problem_that_says_so) {
  SystemDescription d = two_masses();
  d.connections = {connect("b.u", "a.y")};
  const base::Problems problems = problems_of(d);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.all()[0].what, "\"a.y\" is an output, but it stands on the receiving side");
  EXPECT_EQ(problems.all()[0].mend, "turn it round:  a.y -> b.u");
}

TEST(Resolve, two_outputs_or_two_inputs_cannot_be_joined) {
  SystemDescription d = two_masses();
  d.connections = {connect("a.y", "b.y"), connect("a.u", "b.u")};
  const base::Problems problems = problems_of(d);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems.all()[0].what, "\"b.y\" is an output, but it stands on the receiving side");
  EXPECT_EQ(problems.all()[0].mend, "its inputs are: u");
  EXPECT_EQ(problems.all()[1].what, "\"a.u\" is an input, but it stands on the sending side");
}

TEST(Resolve, subsystem_may_be_connected_to_itself) {
  SystemDescription d = two_masses();
  d.connections = {connect("a.y", "a.u")};
  EXPECT_TRUE(problems_of(d).empty());
}

TEST(Resolve, units_of_one_dimension_are_converted) {
  SystemDescription d = joined("km/h", "m/s");
  EXPECT_TRUE(problems_of(d).empty());
  EXPECT_DOUBLE_EQ(d.connections[0].gain, 1.0 / 3.6);
  EXPECT_EQ(d.connections[0].offset, 0.0);
}

TEST(Resolve, gain_and_offset_of_the_user_come_after_the_unit) {
  SystemDescription d = joined("degC", "K");
  d.connections[0].gain = -2.0;
  d.connections[0].offset = 5.0;
  EXPECT_TRUE(problems_of(d).empty());
  // 25 degC = 298.15 K, times -2, plus 5
  EXPECT_DOUBLE_EQ(d.connections[0].gain * 25.0 + d.connections[0].offset, -2.0 * 298.15 + 5.0);
  EXPECT_EQ(d.connections[0].asked_gain, -2.0);
  EXPECT_EQ(d.connections[0].asked_offset, 5.0);
}

TEST(Resolve, resolving_twice_converts_once) {
  SystemDescription d = joined("km/h", "m/s");
  problems_of(d);
  EXPECT_TRUE(problems_of(d).empty());
  EXPECT_DOUBLE_EQ(d.connections[0].gain, 1.0 / 3.6);
}

TEST(Resolve, different_dimensions_are_a_problem) {
  SystemDescription d = joined("N", "m/s");
  EXPECT_NE(problems_of(d).text().find("\"a.y\" is in N, \"b.u\" is in m/s: these are not of one dimension"),
            std::string::npos);
}

TEST(Resolve, unit_known_on_one_side_only_converts_nothing) {
  SystemDescription d = joined("km/h", "");
  EXPECT_TRUE(problems_of(d).empty());
  EXPECT_EQ(d.connections[0].gain, 1.0);
}

TEST(Resolve, unit_written_in_the_connection_counts_where_the_port_has_none) {
  SystemDescription d = joined("", "K");
  d.connections[0].from_unit = "degC";
  d.connections[0].to_unit = "K";
  EXPECT_TRUE(problems_of(d).empty());
  EXPECT_EQ(d.connections[0].offset, 273.15);
}

TEST(Resolve, unit_written_against_the_port_is_a_problem) {
  SystemDescription d = joined("K", "K");
  d.connections[0].from_unit = "degC";
  EXPECT_NE(problems_of(d).text().find("\"a.y\" is in K, but the connection says degC"), std::string::npos);
}

TEST(Resolve, unknown_unit_is_told_where_it_would_have_to_be_converted_and_nothing_is) {
  SystemDescription same = joined("smoots", "smoots");
  EXPECT_TRUE(problems_of(same).empty());
  SystemDescription different = joined("smoots", "m");
  base::Problems problems;
  resolve_paths(different, problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  ASSERT_EQ(different.notices.size(), 1u);
  EXPECT_NE(different.notices[0].find("the unit smoots is not known, and nothing is converted"), std::string::npos);
  EXPECT_EQ(different.connections[0].gain, 1.0);
}

TEST(Resolve, suppressed_conversion_takes_the_numbers_as_they_are) {
  SystemDescription d = joined("N", "m");
  d.connections[0].units = UnitConversion::suppressed;
  EXPECT_TRUE(problems_of(d).empty());
}

void define(PortList& list, const Unit& unit) {
  list.change([&](std::vector<Port>& ports) { ports[0].defined_unit = unit; });
}

TEST(Resolve, unit_of_the_file_and_unit_of_a_port_mean_what_they_say) {
  SystemDescription of_file = joined("furlong", "m");
  of_file.units = {{"furlong", Unit{{0, 1}, 201.168}}};
  base::Problems problems;
  resolve_paths(of_file, problems);
  EXPECT_EQ(of_file.connections[0].gain, 201.168);
  SystemDescription of_port = joined("rod", "m");
  define(of_port.subsystems[0].outputs, {{0, 1}, 5.0292});
  resolve_paths(of_port, problems);
  EXPECT_EQ(of_port.connections[0].gain, 5.0292);
  EXPECT_TRUE(problems.empty()) << problems.text();
}

void make_difference(PortList& list) {
  list.change([](std::vector<Port>& ports) { ports[0].quantity = Quantity::difference; });
}

/// a.y -> b.u, both differences.
SystemDescription differences(const std::string& from, const std::string& to) {
  SystemDescription d = joined(from, to);
  make_difference(d.subsystems[0].outputs);
  make_difference(d.subsystems[1].inputs);
  return d;
}

TEST(Resolve, offset_of_a_unit_is_left_out_between_differences) {
  SystemDescription d = differences("degF", "K");
  EXPECT_TRUE(problems_of(d).empty());
  EXPECT_DOUBLE_EQ(d.connections[0].gain, 5.0 / 9.0);
  EXPECT_EQ(d.connections[0].offset, 0.0);
}

TEST(Resolve, difference_at_one_end_only_is_a_problem_where_an_offset_would_count) {
  SystemDescription sent = joined("degC", "K");
  make_difference(sent.subsystems[0].outputs);
  EXPECT_NE(problems_of(sent).text().find("\"a.y\" is a difference (relativeQuantity), and \"b.u\" is not"),
            std::string::npos);
  SystemDescription taken = joined("degC", "degC");
  make_difference(taken.subsystems[1].inputs);
  EXPECT_NE(problems_of(taken).text().find("\"b.u\" is a difference"), std::string::npos);
  SystemDescription without_offset = joined("kN", "N");
  make_difference(without_offset.subsystems[0].outputs);
  EXPECT_TRUE(problems_of(without_offset).empty());
  SystemDescription as_is = joined("degC", "K");
  make_difference(as_is.subsystems[0].outputs);
  as_is.connections[0].units = UnitConversion::suppressed;
  EXPECT_TRUE(problems_of(as_is).empty());
}

TEST(Resolve, radian_counts_as_one_and_that_is_told) {
  SystemDescription d = joined("rad", "1");
  EXPECT_TRUE(problems_of(d).empty());
  EXPECT_EQ(d.connections[0].gain, 1.0);
  ASSERT_EQ(d.notices.size(), 1u);
  EXPECT_EQ(d.notices[0], "\"a.y\" is in rad, \"b.u\" is in 1: a radian counts as 1");
  SystemDescription speeds = joined("deg/s", "rad/s");
  EXPECT_TRUE(problems_of(speeds).empty());
  EXPECT_TRUE(speeds.notices.empty());
}

TEST(Resolve, one_name_with_two_meanings_is_converted) {
  SystemDescription d = joined("turn", "turn");
  define(d.subsystems[0].outputs, {{0, 0, 0, 0, 0, 0, 0, 1}, 6.0});
  define(d.subsystems[1].inputs, {{0, 0, 0, 0, 0, 0, 0, 1}, 3.0});
  EXPECT_TRUE(problems_of(d).empty());
  EXPECT_EQ(d.connections[0].gain, 2.0);
}

void make_single(PortList& list) {
  list.change([](std::vector<Port>& ports) { ports[0].precision = Precision::single; });
}

TEST(Resolve, rounding_to_single_precision_is_told_once_for_all_connections) {
  SystemDescription d = two_masses();
  make_single(d.subsystems[1].inputs);
  EXPECT_TRUE(problems_of(d).empty());
  ASSERT_EQ(d.notices.size(), 1u);
  EXPECT_EQ(d.notices[0], "1 connection from Float64 to Float32 keeps about 7 digits: a.y -> b.u");
  SystemDescription both = two_masses();
  make_single(both.subsystems[0].inputs);
  make_single(both.subsystems[1].inputs);
  EXPECT_TRUE(problems_of(both).empty());
  ASSERT_EQ(both.notices.size(), 1u);
  EXPECT_EQ(both.notices[0], "2 connections from Float64 to Float32 keep about 7 digits: a.y -> b.u, …");
}

TEST(Resolve, map_of_real_numbers_is_a_problem) {
  SystemDescription d = joined("", "");
  d.connections[0].map = {{1, 2}};
  EXPECT_NE(problems_of(d).text().find("a map translates whole numbers"), std::string::npos);
}

TEST(Resolve, model_that_could_not_be_made_is_not_blamed_again) {
  SystemDescription d = two_masses();
  d.subsystems[0].inputs = d.subsystems[0].outputs = {};
  base::Problems problems;
  problems.add(line(2), "there is no model \"m\"");
  resolve_paths(d, problems);
  EXPECT_EQ(problems.size(), 1u);
  EXPECT_FALSE(problems_of(d).empty());  // but never silently passed over
}

}  // namespace
}  // namespace seam::system
