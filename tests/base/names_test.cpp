#include "seam/base/names.hpp"

#include <gtest/gtest.h>

namespace seam::base {
namespace {

using Names = std::vector<std::string>;

TEST(Names, nearest_is_the_one_with_the_fewest_typing_errors) {
  const Names known = {"step", "stop", "start"};
  EXPECT_EQ(nearest("stpe", known), "step");  // two letters swapped count once
  EXPECT_EQ(nearest("stat", known), "start");
  EXPECT_EQ(nearest("STOP", known), "stop");
  EXPECT_EQ(nearest("stop", known), "stop");
}

TEST(Names, nothing_is_near_that_differs_in_more_than_a_third) {
  EXPECT_EQ(nearest("velocity", {"mass", "force"}), "");
  EXPECT_EQ(nearest("abcdef", {"abcxyz"}), "");
  EXPECT_EQ(nearest("abcdef", {"abcdxy"}), "abcdxy");
  EXPECT_EQ(nearest("anything", {}), "");
}

TEST(Names, very_long_names_are_not_compared) {
  const std::string longest(100000, 'a');
  EXPECT_EQ(nearest(longest, {longest}), "");
  EXPECT_EQ(nearest("abc", {longest}), "");
}

TEST(Names, did_you_mean_offers_one_or_lists_a_few_or_says_nothing) {
  EXPECT_EQ(did_you_mean("stpe", {"step", "stop"}), "did you mean \"step\"?");
  EXPECT_EQ(did_you_mean("velocity", {"step", "stop"}), "known: step, stop");
  EXPECT_EQ(did_you_mean("velocity", {}), "");
  EXPECT_EQ(did_you_mean("velocity", Names(17, "step")), "");
}

TEST(Names, one_star_stays_within_a_part) {
  EXPECT_TRUE(matches("a.*", "a.x"));
  EXPECT_TRUE(matches("*.x", "a.x"));
  EXPECT_TRUE(matches("a.wheel*.f", "a.wheel[12].f"));
  EXPECT_TRUE(matches("*", "abc"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_FALSE(matches("*", "a.x"));
  EXPECT_FALSE(matches("a.*", "a.body.x"));
  EXPECT_FALSE(matches("a*", "a.x"));
}

TEST(Names, two_stars_go_across_parts) {
  EXPECT_TRUE(matches("**", "a.body.x"));
  EXPECT_TRUE(matches("a.**", "a.body.x"));
  EXPECT_TRUE(matches("**.x", "a.body.x"));
  EXPECT_TRUE(matches("**x", "x"));
  EXPECT_FALSE(matches("b.**", "a.body.x"));
  EXPECT_FALSE(matches("**.y", "a.body.x"));
}

TEST(Names, a_star_gives_back_what_it_took_too_much) {
  EXPECT_TRUE(matches("*ab", "aab"));
  EXPECT_TRUE(matches("*a*b", "xaxab"));
  EXPECT_TRUE(matches("**.*x.y", "a.b.xx.y"));
  EXPECT_FALSE(matches("*ab", "aba"));
}

TEST(Names, everything_but_stars_is_literal) {
  EXPECT_TRUE(matches("w[1].x?", "w[1].x?"));
  EXPECT_FALSE(matches("w[1]", "w1"));
  EXPECT_FALSE(matches("a.x", "axx"));
  EXPECT_FALSE(matches("a.x", "A.x"));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_TRUE(matches("", ""));
}

TEST(Names, literal_characters_are_those_that_are_no_stars) {
  EXPECT_EQ(literal_characters("a.**x*"), 3u);
  EXPECT_EQ(literal_characters("**"), 0u);
  EXPECT_TRUE(is_pattern("a*"));
  EXPECT_FALSE(is_pattern("a.x"));
}

}  // namespace
}  // namespace seam::base
