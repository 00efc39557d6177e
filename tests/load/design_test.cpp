
#include <gtest/gtest.h>

#include "seam/load/system_file.hpp"

namespace seam::load {
namespace {

const std::string file =
    "seam: 1\n"
    "subsystems:\n"
    "  a: {model: gain, set: {k: 2, unit: m}}\n"
    "  b: {fmu: b.fmu, interface: cs}\n"
    "connections:\n"
    "  - a.y -> b.u\n"
    "  - {from: b.y, to: a.u, gain: 3}\n"
    "  - b.{p, q} -> a.{r, s}\n"
    "plan: {step: 0.1, coupling: foh}\n"
    "designs:\n";

struct Read {
  system::SystemDescription description;
  base::Problems problems;
};

Read read(const std::string& design, const std::string& name = "other") {
  Read result;
  auto description = read_system_text(file + "  other: " + design + "\n", "s.yaml", result.problems, {{}, name, {}});
  if (description) result.description = std::move(*description);
  return result;
}

TEST(Design, names_are_known_without_choosing_one) {
  const Read plain = read("{plan: {step: 0.2}}", "");
  EXPECT_TRUE(plain.problems.empty()) << plain.problems.text();
  EXPECT_EQ(plain.description.designs, std::vector<std::string>{"other"});
  EXPECT_EQ(*plain.description.plan.step, 0.1);
}

TEST(Design, maps_merge_and_null_removes) {
  const Read found = read("{plan: {step: 0.2}, subsystems: {a: {set: {k: 5, unit: null}}}}");
  ASSERT_TRUE(found.problems.empty()) << found.problems.text();
  EXPECT_EQ(*found.description.plan.step, 0.2);
  EXPECT_EQ(found.description.plan.coupling->coupling->name, "foh");
  ASSERT_EQ(found.description.subsystems[0].set.size(), 1u);
  EXPECT_EQ(found.description.subsystems[0].set[0].value.text, "5");
}

TEST(Design, a_subsystem_may_become_something_else) {
  const Read found = read("{subsystems: {b: {model: gain, interface: null}}}");
  ASSERT_TRUE(found.problems.empty()) << found.problems.text();
  ASSERT_TRUE(found.description.subsystems[1].model());
  EXPECT_EQ(found.description.subsystems[1].model()->name, "gain");
}

TEST(Design, a_connection_replaces_the_one_with_the_same_sink) {
  const Read found = read("{connections: [b.z -> a.u, {to: b.u, from: null}]}");
  ASSERT_TRUE(found.problems.empty()) << found.problems.text();
  ASSERT_EQ(found.description.connections.size(), 3u);
  EXPECT_EQ(found.description.connections[0].to.text, "a.r");
  EXPECT_EQ(found.description.connections[2].from.text, "b.z");
  EXPECT_EQ(found.description.connections[2].gain, 1.0);
}

TEST(Design, one_of_several_connections_on_a_line_cannot_be_replaced_alone) {
  const Read found = read("{connections: [b.z -> a.s]}");
  EXPECT_NE(found.problems.text().find("keeps the others"), std::string::npos) << found.problems.text();
  EXPECT_TRUE(read("{connections: [b.z -> a.s, b.w -> a.r]}").problems.empty());
}

TEST(Design, mistakes_are_said) {
  EXPECT_NE(read("{plan: {step: 0.2}}", "othr").problems.text().find("other"), std::string::npos);
  EXPECT_NE(read("{name: x}").problems.text().find("\"name\""), std::string::npos);
  EXPECT_NE(read("[1, 2]").problems.text().find("the design \"other\""), std::string::npos);
  EXPECT_NE(read("{plan: {stepp: 0.2}}").problems.text().find("stepp"), std::string::npos);
}

}  // namespace
}  // namespace seam::load
