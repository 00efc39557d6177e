
#include <gtest/gtest.h>

#include "seam/system/resolve.hpp"
#include "system/two_masses.hpp"

namespace seam::system {
namespace {

/// A source of a vector of three, a matrix of 2 x 3 and a number, and sinks for them.
SystemDescription with(std::vector<Connection> connections) {
  SystemDescription d;
  const auto ports = [](const std::string& vector, const std::string& matrix, const std::string& number) {
    std::vector<Port> all;
    for (int i = 1; i <= 3; ++i) all.push_back(port(vector + "[" + std::to_string(i) + "]"));
    for (int i = 1; i <= 2; ++i) {
      for (int j = 1; j <= 3; ++j)
        all.push_back(port(matrix + "[" + std::to_string(i) + "," + std::to_string(j) + "]"));
    }
    all.push_back(port(number));
    return all;
  };
  d.subsystems = {subsystem("a", {}, ports("y", "M", "s")), subsystem("b", ports("u", "N", "t"), {})};
  d.connections = std::move(connections);
  return d;
}

/// "1-2 3-4": source and sink of every connection.
std::string joined(std::vector<Connection> connections) {
  SystemDescription d = with(std::move(connections));
  base::Problems problems;
  resolve_paths(d, problems);
  if (!problems.empty()) return problems.all().front().what;
  std::string text;
  for (const Connection& connection : d.connections)
    text += (text.empty() ? "" : ", ") + connection.from.text + " " + connection.to.text;
  return text;
}

TEST(Arrays, whole_ones_are_joined_element_by_element) {
  EXPECT_EQ(joined({connect("a.y", "b.u")}), "a.y[1] b.u[1], a.y[2] b.u[2], a.y[3] b.u[3]");
  EXPECT_EQ(joined({connect("a.M", "b.N")}),
            "a.M[1,1] b.N[1,1], a.M[1,2] b.N[1,2], a.M[1,3] b.N[1,3], a.M[2,1] b.N[2,1], a.M[2,2] b.N[2,2], "
            "a.M[2,3] b.N[2,3]");
}

TEST(Arrays, slices_are_joined_in_their_order) {
  EXPECT_EQ(joined({connect("a.y[2:3]", "b.u[1:2]")}), "a.y[2] b.u[1], a.y[3] b.u[2]");
  EXPECT_EQ(joined({connect("a.y[2:]", "b.u[:2]")}), "a.y[2] b.u[1], a.y[3] b.u[2]");
  EXPECT_EQ(joined({connect("a.M[2,:]", "b.u")}), "a.M[2,1] b.u[1], a.M[2,2] b.u[2], a.M[2,3] b.u[3]");
  EXPECT_EQ(joined({connect("a.y[2:2]", "b.t")}), "a.y[2] b.t");
  EXPECT_EQ(joined({connect("a.y[2]", "b.t")}), "a.y[2] b.t");
}

TEST(Arrays, gain_and_offset_are_those_of_every_element) {
  Connection scaled = connect("a.y", "b.u");
  scaled.gain = -2.0;
  scaled.offset = 3.0;
  SystemDescription d = with({scaled});
  base::Problems problems;
  resolve_paths(d, problems);
  ASSERT_EQ(d.connections.size(), 3u);
  for (const Connection& connection : d.connections) {
    EXPECT_EQ(connection.gain, -2.0);
    EXPECT_EQ(connection.offset, 3.0);
    EXPECT_GE(connection.from.port, 0);
  }
}

TEST(Arrays, shapes_that_differ_are_one_problem) {
  EXPECT_EQ(joined({connect("a.y", "b.u[1:2]")}), "\"a.y\" sends 3 values, and \"b.u[1:2]\" takes 2 values");
  EXPECT_EQ(joined({connect("a.s", "b.u")}), "\"a.s\" sends one value, and \"b.u\" takes 3 values");
  EXPECT_EQ(joined({connect("a.M", "b.u")}), "\"a.M\" sends 2 x 3 values, and \"b.u\" takes 3 values");
}

TEST(Arrays, what_lies_outside_is_not_there) {
  for (const char* from : {"a.y[1:9]", "a.y[0:1]", "a.y[x]", "a.y[1,1]", "a.y[]", "a.y[3:1]", "a.z"})
    EXPECT_EQ(joined({connect(from, "b.t")}), "\"a\" has no output \"" + std::string(from + 2) + "\"") << from;
}

TEST(Arrays, connections_of_bonds_keep_their_numbers_and_are_single_elements) {
  SystemDescription d = with({connect("a.y", "b.u"), connect("a.s", "b.t"), connect("a.M", "b.N")});
  Bond single, many;
  single.name = "single";
  single.effort = single.flow = 1;
  many.name = "many";
  many.effort = 1;
  many.flow = 2;
  d.bonds = {single};
  base::Problems problems;
  expand_arrays(d, problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(d.connections[static_cast<std::size_t>(d.bonds[0].effort)].from.text, "a.s");
  d = with({connect("a.y", "b.u"), connect("a.s", "b.t"), connect("a.M", "b.N")});
  d.bonds = {many};
  expand_arrays(d, problems);
  EXPECT_EQ(problems.all().front().what, "the bond \"many\" is one of arrays");
}

TEST(Arrays, a_plan_may_name_the_whole_array) {
  SystemDescription d = with({connect("a.y", "b.u"), connect("a.s", "b.t")});
  base::Problems problems;
  resolve_paths(d, problems);
  CouplingRequest foh, soh;
  foh.coupling.emplace().name = "foh";
  soh.coupling.emplace().name = "soh";
  d.plan.connections = {{"b.u", foh, {}}, {"b.u[2]", soh, {}}};
  const RequestedPlan plan = spread(d, problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(plan.connections[0]->coupling->name, "foh");
  EXPECT_EQ(plan.connections[1]->coupling->name, "soh");
  EXPECT_EQ(plan.connections[2]->coupling->name, "foh");
}

}  // namespace
}  // namespace seam::system
