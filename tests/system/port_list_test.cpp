// Ports of a subsystem: copies of a list share it until one of them becomes another list.
#include "seam/system/port_list.hpp"

#include <gtest/gtest.h>

namespace seam::system {
namespace {

Port port(const std::string& name, PortType type = PortType::real) {
  Port made;
  made.name = name;
  made.type = type;
  return made;
}

TEST(PortList, copies_share_their_ports_until_one_of_them_is_changed) {
  const PortList first{port("u"), port("v")};
  PortList second = first;
  EXPECT_EQ(&second.all(), &first.all());
  second.change([](std::vector<Port>& ports) {
    ports[0].start = 2.0;
    ports.push_back(port("w"));
  });
  ASSERT_EQ(second.size(), 3u);
  EXPECT_EQ(second[0].start, 2.0);
  EXPECT_EQ(second.back().name, "w");
  ASSERT_EQ(first.size(), 2u);
  EXPECT_FALSE(first[0].start);
  EXPECT_EQ(first.front().name, "u");
}

TEST(PortList, list_without_ports_is_empty_however_it_was_made) {
  for (const PortList& list : {PortList(), PortList(std::vector<Port>()), PortList({})}) {
    EXPECT_TRUE(list.empty());
    EXPECT_EQ(list.size(), 0u);
    EXPECT_EQ(list.begin(), list.end());
    EXPECT_EQ(count_reals(list), 0u);
  }
  PortList grown;
  grown.change([](std::vector<Port>& ports) { ports.push_back(port("u")); });
  EXPECT_EQ(grown.at(0).name, "u");
}

TEST(PortList, reals_are_counted_up_to_the_first_discrete_value) {
  for (std::size_t reals = 0; reals < 5; ++reals) {
    for (std::size_t others = 0; others < 3; ++others) {
      std::vector<Port> ports(reals, port("y"));
      ports.insert(ports.end(), others, port("n", PortType::int32));
      EXPECT_EQ(count_reals(ports), reals);
    }
  }
}

}  // namespace
}  // namespace seam::system
