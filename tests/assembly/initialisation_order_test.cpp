#include "seam/assembly/initialisation_order.hpp"

#include "assembly/small_system.hpp"

namespace seam::assembly {
namespace {

/// "a.y1 b.y1* …": outputs in order, blocks apart, a star behind loops.
std::string order_in(System& system) {
  std::string text;
  const Assembly& assembly = system.assembly();
  for (const auto& block : initialisation_order(assembly).blocks) {
    std::string names;
    for (const OutputPlace& place : block.outputs) {
      const Member& member = assembly.members[static_cast<std::size_t>(place.member)];
      names +=
          (names.empty() ? "" : "+") + member.name + "." + member.outputs[static_cast<std::size_t>(place.output)].name;
    }
    text += (text.empty() ? "" : " ") + names + (block.is_loop() ? "*" : "");
  }
  return text;
}

TEST(InitialisationOrder, what_is_needed_comes_first) {
  System system;
  system.add("last", gain(10)).add("middle", gain(-2)).add("source", lag(0.0));
  system.wire(1, 0).wire(2, 1);
  EXPECT_EQ(order_in(system), "source.y1 middle.y1 last.y1");
}

TEST(InitialisationOrder, a_ring_with_a_state_in_it_is_no_loop) {
  System system;
  system.add("a", gain(1)).add("b", lag(0.0));
  system.wire(0, 1).wire(1, 0);
  EXPECT_EQ(order_in(system), "b.y1 a.y1");
}

TEST(InitialisationOrder, a_ring_of_feed_through_is_one_block_between_what_feeds_and_what_follows) {
  const lti::StateSpace sum{lti::Matrix(0, 0), lti::Matrix(0, 2), lti::Matrix(1, 0), lti::Matrix::Ones(1, 2)};
  System system;
  system.add("follows", gain(1)).add("sum", linear(sum, {})).add("back", gain(0.5)).add("feeds", lag(0.0));
  system.wire(3, 1).wire(1, 2).wire({.from = 2, .output = 0, .to = 1, .input = 1}).wire(1, 0);
  EXPECT_EQ(order_in(system), "feeds.y1 sum.y1+back.y1* follows.y1");
  const InitialisationOrder order = initialisation_order(system.assembly());
  EXPECT_EQ(order.blocks[1].wires, (std::vector<int>{1, 2}));
  EXPECT_EQ(order.blocks[0].level, 0);
  EXPECT_EQ(order.blocks[1].level, 1);
  EXPECT_EQ(order.blocks[2].level, 2);
}

TEST(InitialisationOrder, an_output_wired_to_its_own_subsystem_is_a_loop) {
  System system;
  system.add("a", gain(0.5));
  system.wire(0, 0);
  EXPECT_EQ(order_in(system), "a.y1*");
}

TEST(InitialisationOrder, two_rings_that_share_an_output_are_one_loop) {
  System system;
  system.add("a", gain(1)).add("b", gain(1)).add("c", gain(1));
  const lti::StateSpace sum{lti::Matrix(0, 0), lti::Matrix(0, 2), lti::Matrix(1, 0), lti::Matrix::Ones(1, 2)};
  system.add("s", linear(sum, {}));
  system.wire(3, 0).wire(0, 1).wire(1, 3).wire(3, 2).wire({.from = 2, .output = 0, .to = 3, .input = 1});
  EXPECT_EQ(order_in(system), "a.y1+b.y1+c.y1+s.y1*");
}

TEST(InitialisationOrder, of_a_chain_of_a_hundred_thousand_is_found) {
  System system;
  const int count = 100'000;
  for (int i = 0; i < count; ++i) system.add("g", gain(1));
  for (int i = 1; i < count; ++i) system.wire(i, i - 1);
  const InitialisationOrder order = initialisation_order(system.assembly());
  ASSERT_EQ(order.blocks.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(order.blocks.front().outputs[0].member, count - 1);
  EXPECT_EQ(order.blocks.back().level, count - 1);
}

}  // namespace
}  // namespace seam::assembly
