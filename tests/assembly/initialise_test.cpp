// Consistent values of all ports at the start.
#include <gtest/gtest.h>

#include "assembly/small_system.hpp"

namespace seam::assembly {
namespace {

TEST(Initialise, values_travel_down_a_chain_of_feed_through_listed_in_any_order) {
  System system;
  system.add("last", gain(10)).add("middle", gain(-2)).add("source", lag(0.0));
  system.wire(1, 0).wire(2, 1, 3.0, 0.5);
  const PortValues ports = system.start();
  EXPECT_EQ(ports.outputs[2][0], 6.0);  // 2 x
  EXPECT_EQ(ports.inputs[1][0], 18.5);
  EXPECT_EQ(ports.outputs[1][0], -37.0);
  EXPECT_EQ(ports.outputs[0][0], -370.0);
}

TEST(Initialise, an_input_nobody_feeds_has_its_start_value) {
  System system;
  system.add("alone", gain(2), 4.0);
  const PortValues ports = system.start();
  EXPECT_EQ(ports.inputs[0][0], 4.0);
  EXPECT_EQ(ports.outputs[0][0], 8.0);
}

TEST(Initialise, a_chain_that_passes_several_times_through_the_same_subsystems_is_no_loop) {
  const lti::StateSpace pass{lti::Matrix(0, 0), lti::Matrix(0, 3), lti::Matrix(3, 0), 2 * lti::Matrix::Identity(3, 3)};
  System system;
  system.add("source", lag(0.0)).add("a", linear(pass, {})).add("b", linear(pass, {}));
  system.wire(0, 1);
  for (int i = 0; i < 3; ++i) system.wire({.from = 1, .output = i, .to = 2, .input = i});
  for (int i = 0; i < 2; ++i) system.wire({.from = 2, .output = i, .to = 1, .input = i + 1});
  EXPECT_NEAR(system.start().outputs[2][2], 6.0 * 64.0, 1e-9);
}

TEST(Initialise, a_loop_that_hears_a_state_is_solved) {
  const lti::StateSpace sum{lti::Matrix(0, 0), lti::Matrix(0, 2), lti::Matrix(1, 0),
                            (lti::Matrix(1, 2) << 1, 2).finished()};
  System system;
  system.add("source", lag(0.0)).add("sum", linear(sum, {})).add("gain", gain(0.25));
  system.wire(0, 1).wire(1, 2).wire({.from = 2, .output = 0, .to = 1, .input = 1});  // y = 6 + 2 (y/4)
  const PortValues ports = system.start();
  EXPECT_NEAR(ports.outputs[1][0], 12.0, 1e-12);
  EXPECT_NEAR(ports.outputs[2][0], 3.0, 1e-12);
}

TEST(Initialise, a_linear_loop_is_solved) {
  System system;
  system.add("a", gain(-3)).add("b", gain(2));
  system.wire(0, 1).wire(1, 0, 1.0, 14.0);  // u = 14 - 6 u
  const PortValues ports = system.start();
  EXPECT_NEAR(ports.inputs[0][0], 2.0, 1e-12);
  EXPECT_NEAR(ports.outputs[0][0], -6.0, 1e-12);
  EXPECT_NEAR(ports.outputs[1][0], -12.0, 1e-12);
}

TEST(Initialise, a_loop_with_a_limiter_is_solved_on_and_off_the_limit) {
  for (const auto& [offset, expected] : {std::pair{0.9, 0.3}, std::pair{3.0, 0.5}, std::pair{-9.0, -0.5}}) {
    System system;
    system.add("limit", limiter(-0.5, 0.5)).add("gain", gain(-2));
    system.wire(0, 1).wire(1, 0, 1.0, offset);  // y = limited(offset - 2 y)
    EXPECT_NEAR(system.start().outputs[0][0], expected, 1e-12) << offset;
  }
}

TEST(Initialise, a_loop_without_solution_is_an_error_that_names_its_ports) {
  System system;
  system.add("a", gain(1)).add("b", gain(1));
  system.wire(0, 1).wire(1, 0, 1.0, 1.0);  // u = u + 1
  const std::string error = system.error();
  EXPECT_NE(error.find("a.y1 -> b.u1"), std::string::npos) << error;
  EXPECT_NE(error.find("b.y1 -> a.u1"), std::string::npos) << error;
}

TEST(Initialise, a_loop_around_one_subsystem_without_solution_is_an_error) {
  System system;
  system.add("a", gain(1));
  system.wire(0, 0, 1.0, 1.0);
  EXPECT_NE(system.error().find("a.y1 -> a.u1"), std::string::npos);
}

TEST(Initialise, who_declares_dependencies_wrongly_is_found_out_and_named) {
  System system;
  const auto liar = curve([](double u) { return -2.0 * u; }, Curve::Declares::no_dependency);
  system.add("last", gain(10)).add("liar", liar).add("source", lag(0.0));
  system.wire(1, 0).wire(2, 1);
  const PortValues ports = system.start();
  EXPECT_EQ(ports.outputs[1][0], -12.0);
  EXPECT_EQ(ports.inputs[0][0], -12.0);
  EXPECT_EQ(ports.outputs[0][0], -120.0);
  ASSERT_EQ(system.assembly().notices.size(), 1u);
  EXPECT_EQ(system.assembly().notices[0].find("liar: "), 0u) << system.assembly().notices[0];
}

TEST(Initialise, a_loop_that_was_not_declared_is_found_and_solved) {
  System system;
  const auto liar = curve([](double u) { return -3.0 * u; }, Curve::Declares::no_dependency);
  system.add("liar", liar).add("b", gain(2));
  system.wire(0, 1).wire(1, 0, 1.0, 14.0);
  EXPECT_NEAR(system.start().inputs[0][0], 2.0, 1e-12);
}

TEST(Initialise, known_signals_are_heard_at_the_start_and_silent_for_analysis) {
  NativeModel driven = gain(2);
  driven.drives = {{0, formula([](double t) { return 5.0 + t; }), 1.0, 0.0}};
  Assembly assembly;
  Member member;
  member.name = "a";
  member.inputs = {{"u", "", {}, {}}};
  member.outputs = {{"y", "", {}, {}}};
  member.subsystem = std::make_unique<LinearSubsystem>(driven);
  assembly.members.push_back(std::move(member));
  EXPECT_EQ(consistent_ports(assembly, 1.0, Sources::live).outputs[0][0], 12.0);
  EXPECT_EQ(consistent_ports(assembly, 1.0, Sources::silent).outputs[0][0], 0.0);
}

TEST(DiscreteWire, map_translates_what_it_names_and_passes_on_the_rest) {
  DiscreteWire wire;
  wire.map = {{1, 7}, {2, 300}};
  EXPECT_EQ(whole_through(wire, {1, {}}), 7);
  EXPECT_EQ(whole_through(wire, {5, {}}), 5);
  Assembly assembly;
  assembly.members.emplace_back().inputs = {system::Port{}};
  wire.ends.to = wire.ends.input = 0;
  EXPECT_EQ(real_through(assembly, wire, {1, {}}), 7.0);
  wire.to = system::PortType::int8;
  EXPECT_FALSE(whole_through(wire, {2, {}}));  // 300 is too large
}

}  // namespace
}  // namespace seam::assembly
