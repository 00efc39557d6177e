#include "seam/system/column_names.hpp"

#include <gtest/gtest.h>

namespace seam::system {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<std::size_t>;

TEST(SettleColumns, takes_units_and_types_out_of_names_and_leaves_indices_and_functions) {
  Names names{"v[km/h]", "w (rad/s)", "x[REAL]", "a[2]", "der(x)", "note (first try)", "y", "z"};
  Names units{"", "", "", "", "", "", "---", "0 output real"};
  settle_columns(names, units);
  EXPECT_EQ(names, (Names{"v", "w", "x", "a[2]", "der(x)", "note (first try)", "y", "z"}));
  EXPECT_EQ(units, (Names{"km/h", "rad/s", "", "", "", "", "", ""}));
}

TEST(SettleColumns, leaves_names_that_would_become_one) {
  Names names{"x (m)", "x (mm)"}, units{"", ""};
  settle_columns(names, units);
  EXPECT_EQ(names, (Names{"x (m)", "x (mm)"}));
}

TEST(VariableNames, are_found_with_and_without_what_stands_before_them) {
  const Names known{"a.y", "b.c.y", "b::z", "u"};
  const VariableNames names(known);
  EXPECT_EQ(names.find("a.y"), Numbers{0});
  EXPECT_EQ(names.find("a::y"), Numbers{0});
  EXPECT_EQ(names.find("model.root.a.y"), Numbers{0});
  EXPECT_EQ(names.find("c.y"), Numbers{1});
  EXPECT_EQ(names.find("z"), Numbers{2});
  EXPECT_EQ(names.find("b.z"), Numbers{2});
  EXPECT_EQ(names.find("model.u"), Numbers{3});
  EXPECT_EQ(names.find("y"), (Numbers{0, 1}));
  EXPECT_EQ(names.find("yy"), Numbers{});
  EXPECT_EQ(names.find("d.y"), Numbers{}) << "both have more than y";
}

TEST(NameMap, prefers_the_name_itself_to_a_star) {
  base::Problems problems;
  const NameMap map = NameMap::read({"a.*=b.*", "a.x=c"}, "--map", problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(map.find("a.x"), "c");
  EXPECT_EQ(map.find("a.y"), "b.y");
  EXPECT_EQ(map.find("y"), std::nullopt);
  EXPECT_EQ(map.unused({"a.y"}), Names{"a.x=c"});
  for (const char* wrong : {"a", "a=", "=b", "a.*=b", "*.*=*.*"}) NameMap::read({wrong}, "--map", problems);
  EXPECT_EQ(problems.size(), 5u);
}

}  // namespace
}  // namespace seam::system
