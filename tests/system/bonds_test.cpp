#include "seam/system/bonds.hpp"

#include <gtest/gtest.h>

#include "seam/system/resolve.hpp"
#include "system/two_masses.hpp"

namespace seam::system {
namespace {

/// a sends an effort of one unit, b a flow of another.
SystemDescription pair(const std::string& effort, const std::string& flow) {
  SystemDescription d;
  d.subsystems = {subsystem("a", {port("v", flow)}, {port("f", effort)}),
                  subsystem("b", {port("f", effort)}, {port("v", flow)})};
  d.connections = {connect("a.f", "b.f", 10), connect("b.v", "a.v", 11)};
  return d;
}

struct Resolved {
  explicit Resolved(SystemDescription d) : description(std::move(d)) {
    resolve_paths(description, problems);
    resolve_bonds(description, problems);
  }
  const std::vector<Bond>& bonds() const { return description.bonds; }
  SystemDescription description;
  base::Problems problems;
};

Bond declared(const std::string& name, int effort, int flow) {
  Bond bond;
  bond.name = name;
  bond.effort = effort;
  bond.flow = flow;
  bond.where = line(20);
  return bond;
}

bool says(const Resolved& resolved, const std::string& what) {
  return resolved.problems.text().find(what) != std::string::npos;
}

TEST(Bonds, effort_and_flow_of_one_domain_each_way_are_recognised) {
  for (const auto& [effort, flow] : std::vector<std::pair<std::string, std::string>>{{"N", "m/s"},
                                                                                     {"kN", "mm/s"},
                                                                                     {"N.m", "rad/s"},
                                                                                     {"V", "A"},
                                                                                     {"bar", "m3/s"},
                                                                                     {"K", "W/K"},
                                                                                     {"J/mol", "mol/s"}}) {
    const Resolved r(pair(effort, flow));
    ASSERT_EQ(r.bonds().size(), 1u) << effort << r.problems.text();
    EXPECT_EQ(r.bonds()[0].name, "a-b");
    EXPECT_EQ(r.bonds()[0].origin, Bond::Origin::units);
    EXPECT_EQ(r.bonds()[0].giver, Bond::Giver::effort_sender);
    EXPECT_EQ(r.bonds()[0].effort, 0);
    EXPECT_EQ(r.bonds()[0].flow, 1);
  }
}

TEST(Bonds, what_a_controller_without_units_sends_is_no_half_of_a_bond) {
  SystemDescription d = pair("N", "m/s");
  d.subsystems[0] = subsystem("a", {port("measurement", "")}, {port("y", "")});
  d.connections = {connect("a.y", "b.f", 10), connect("b.v", "a.measurement", 11)};
  EXPECT_TRUE(Resolved(d).bonds().empty());
  d.connections[0].from_unit = "N";  // the user says what it is
  const Resolved told(d);
  ASSERT_EQ(told.bonds().size(), 1u) << told.problems.text();
  EXPECT_EQ(told.bonds()[0].effort, 0);
}

TEST(Bonds, other_pairs_of_units_are_not_recognised) {
  for (const auto& [effort, flow] : std::vector<std::pair<std::string, std::string>>{
           {"N", "m"}, {"N", "A"}, {"m/s", "m/s"}, {"N.m", "Hz"}, {"degC", "W/K"}, {"", ""}, {"N", ""}})
    EXPECT_TRUE(Resolved(pair(effort, flow)).bonds().empty()) << effort << " " << flow;
}

TEST(Bonds, both_the_same_way_are_no_bond) {
  SystemDescription d;
  d.subsystems = {subsystem("a", {}, {port("f", "N"), port("v", "m/s")}),
                  subsystem("b", {port("f", "N"), port("v", "m/s")}, {})};
  d.connections = {connect("a.f", "b.f"), connect("a.v", "b.v")};
  EXPECT_TRUE(Resolved(d).bonds().empty());
}

void add(PortList& list, const Port& port) {
  list.change([&](std::vector<Port>& ports) { ports.push_back(port); });
}

void put_into(const Terminal& terminal, PortList& list, std::size_t i = 0) {
  list.change([&](std::vector<Port>& ports) { ports[i].terminal = terminal; });
}

/// Three forces against three velocities, listed in another order.
SystemDescription three(const std::vector<std::string>& forces, const std::vector<std::string>& velocities) {
  SystemDescription d;
  d.subsystems = {subsystem("a", {}, {}), subsystem("b", {}, {})};
  for (const std::string& f : forces) {
    add(d.subsystems[0].outputs, port(f, "N"));
    add(d.subsystems[1].inputs, port(f, "N"));
    d.connections.push_back(connect("a." + f, "b." + f));
  }
  for (const std::string& v : velocities) {
    add(d.subsystems[1].outputs, port(v, "m/s"));
    add(d.subsystems[0].inputs, port(v, "m/s"));
    d.connections.push_back(connect("b." + v, "a." + v));
  }
  return d;
}

TEST(Bonds, among_several_those_with_like_names_belong_together) {
  const Resolved r(three({"fx", "fy", "fz"}, {"vz", "vx", "vy"}));
  ASSERT_EQ(r.bonds().size(), 3u);
  EXPECT_EQ(r.bonds()[0].flow, 4);
  EXPECT_EQ(r.bonds()[1].flow, 5);
  EXPECT_EQ(r.bonds()[2].flow, 3);
  EXPECT_EQ(r.bonds()[0].name, "a-b");
  EXPECT_EQ(r.bonds()[1].name, "a-b-fy");
  const Resolved wheels(three({"wheel[1].f", "wheel[2].f"}, {"wheel[2].v", "wheel[1].v"}));
  ASSERT_EQ(wheels.bonds().size(), 2u);
  EXPECT_EQ(wheels.bonds()[0].flow, 3);
}

TEST(Bonds, where_it_is_not_clear_none_is_recognised) {
  EXPECT_TRUE(Resolved(three({"f", "g"}, {"v", "w"})).bonds().empty());
  EXPECT_TRUE(Resolved(three({"f"}, {"v", "w"})).bonds().empty());
}

TEST(Bonds, declared_ones_are_not_recognised_again) {
  SystemDescription d = pair("N", "m/s");
  d.bonds = {declared("rod", 0, 1)};
  d.bonds[0].positive = {"b", "a"};
  const Resolved r(d);
  EXPECT_TRUE(r.problems.empty()) << r.problems.text();
  ASSERT_EQ(r.bonds().size(), 1u);
  EXPECT_EQ(r.bonds()[0].origin, Bond::Origin::file);
  EXPECT_EQ(r.bonds()[0].giver, Bond::Giver::effort_receiver);
}

TEST(Bonds, without_a_sign_the_effort_acts_on_its_receiver) {
  SystemDescription d = pair("N", "m/s");
  d.connections[0].gain = -1.0;
  EXPECT_EQ(Resolved(d).bonds().at(0).giver, Bond::Giver::effort_receiver);
  d.bonds = {declared("rod", 0, 1)};
  EXPECT_EQ(Resolved(d).bonds().at(0).giver, Bond::Giver::effort_receiver);
}

TEST(Bonds, what_is_wrong_with_a_declared_one_is_a_problem) {
  SystemDescription d = pair("N", "m/s");
  d.bonds = {declared("rod", 0, 1)};
  d.bonds[0].positive = {"a", "c"};
  EXPECT_TRUE(says(Resolved(d), "\"a -> c\" is not a way of the bond \"rod\""));
  d.bonds = {declared("1 rod", 0, 1)};
  EXPECT_TRUE(says(Resolved(d), "\"1 rod\" cannot name a bond"));
  d.bonds = {declared("rod", 0, 1), declared("rod", 0, 1)};
  EXPECT_TRUE(says(Resolved(d), "there are two bonds \"rod\""));
  EXPECT_TRUE(says(Resolved(d), "\"b.f\" belongs to two bonds"));
  d.bonds = {declared("rod", 0, 1)};
  d.connections[0].gain = 0.0;
  EXPECT_TRUE(says(Resolved(d), "\"b.f\" cannot belong to the bond \"rod\""));
  d = three({"f", "g"}, {"v"});
  d.bonds = {declared("rod", 0, 1)};
  EXPECT_TRUE(says(Resolved(d), "its flow from \"a\" to \"b\""));
}

TEST(Bonds, plan_names_connections_that_must_be_there) {
  SystemDescription d = pair("N", "m/s");
  Bond bond = declared("rod", -1, -1);
  bond.effort_ends = {{"a.f", -1, -1, line(3)}, {"b.f", -1, -1, line(3)}};
  bond.flow_ends = {{"b.v", -1, -1, line(4)}, {"a.v", -1, -1, line(4)}};
  d.bonds = {bond};
  const Resolved good(d);
  EXPECT_TRUE(good.problems.empty()) << good.problems.text();
  ASSERT_EQ(good.bonds().size(), 1u);
  EXPECT_EQ(good.bonds()[0].effort, 0);
  EXPECT_EQ(good.bonds()[0].flow, 1);
  d.bonds[0].effort_ends->to.text = "b.force";
  EXPECT_TRUE(says(Resolved(d), "\"b.force\" is not a connected input"));
  d.bonds[0].effort_ends->to.text = "a.v";
  EXPECT_TRUE(says(Resolved(d), "\"a.f\" is not the source of \"a.v\""));
}

TEST(Bonds, power_is_in_watts_whatever_the_units_as_sent) {
  const Resolved r(pair("kN", "mm/s"));
  EXPECT_TRUE(unit_of(r.description, r.bonds()[0]).is_power);
  EXPECT_DOUBLE_EQ(unit_of(r.description, r.bonds()[0]).to_si, 1.0);
  const Resolved bars(pair("bar", "m3/s"));
  EXPECT_DOUBLE_EQ(unit_of(bars.description, bars.bonds()[0]).to_si, 1e5);
}

TEST(Bonds, product_that_is_no_power_has_no_unit_and_a_notice) {
  SystemDescription d = pair("N", "m");
  d.bonds = {declared("rod", 0, 1)};
  const Resolved r(d);
  EXPECT_FALSE(unit_of(r.description, r.bonds()[0]).is_power);
  ASSERT_EQ(r.description.notices.size(), 1u);
  EXPECT_NE(r.description.notices[0].find("is no power"), std::string::npos);
}

/// Ports of a without units, in a terminal; the flow is b's output.
SystemDescription with_terminal(Terminal::Role of_v) {
  SystemDescription d = pair("", "");
  put_into({"flange", Terminal::Role::signal}, d.subsystems[0].outputs);
  put_into({"flange", of_v}, d.subsystems[0].inputs);
  return d;
}

TEST(Bonds, terminals_show_a_bond_and_its_sign) {
  const Resolved in(with_terminal(Terminal::Role::inflow)), out(with_terminal(Terminal::Role::outflow));
  ASSERT_EQ(in.bonds().size(), 1u);
  ASSERT_EQ(out.bonds().size(), 1u);
  EXPECT_EQ(in.bonds()[0].origin, Bond::Origin::terminals);
  EXPECT_EQ(in.bonds()[0].effort, 0);
  EXPECT_EQ(in.bonds()[0].giver, Bond::Giver::effort_receiver);  // it flows into a, which sends the effort
  EXPECT_EQ(out.bonds()[0].giver, Bond::Giver::effort_sender);
  EXPECT_TRUE(Resolved(with_terminal(Terminal::Role::signal)).bonds().empty());
}

TEST(Bonds, sign_of_a_terminal_is_turned_round_by_a_negative_gain) {
  SystemDescription d = with_terminal(Terminal::Role::inflow);
  d.connections[1].gain = -1.0;
  EXPECT_EQ(Resolved(d).bonds().at(0).giver, Bond::Giver::effort_sender);
}

TEST(Bonds, terminals_tell_apart_what_units_do_not) {
  SystemDescription d = three({"f", "g"}, {"v", "w"});
  put_into({"left"}, d.subsystems[0].outputs, 0);
  put_into({"right"}, d.subsystems[0].outputs, 1);
  put_into({"right"}, d.subsystems[0].inputs, 0);
  put_into({"left"}, d.subsystems[0].inputs, 1);
  const Resolved r(d);
  ASSERT_EQ(r.bonds().size(), 2u);
  EXPECT_EQ(r.bonds()[0].effort, 0);
  EXPECT_EQ(r.bonds()[0].flow, 3);
  EXPECT_EQ(r.bonds()[1].flow, 2);
}

}  // namespace
}  // namespace seam::system
