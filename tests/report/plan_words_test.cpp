#include "seam/report/plan_words.hpp"

#include <gtest/gtest.h>

namespace seam::report {
namespace {

TEST(PlanWords, a_time_has_the_prefix_that_makes_it_short) {
  EXPECT_EQ(time_words(0.0), "0 s");
  EXPECT_EQ(time_words(0.25), "0.25 s");
  EXPECT_EQ(time_words(3600.0), "3600 s");
  EXPECT_EQ(time_words(1e-3), "1 ms");
  EXPECT_EQ(time_words(0.05), "50 ms");
  EXPECT_EQ(time_words(2.5e-5), "25 us");
  EXPECT_EQ(time_words(-0.002), "-2 ms");
  EXPECT_EQ(time_words(1e-9), "1e-09 s");
  EXPECT_EQ(time_words(0.1 + 0.2), "0.3 s");
}

engine::System pair(const std::string& plan) {
  return engine::open_text(
      "seam: 1\nsubsystems:\n  a: {model: state-space, set: {A: [[-1]], B: [[1]]}}\n"
      "  b: {model: state-space, set: {A: [[-1]], B: [[1]]}}\nconnections: [a.y -> b.u, b.y -> a.u]\nplan: {step: 0.1" +
          plan + "}\n",
      "pair.yaml", {});
}

TEST(PlanWords, one_coupling_is_named_and_several_are_mixed) {
  EXPECT_EQ(coupling_words(pair(", coupling: {foh: {samples: micro}}").plan), "foh,samples=micro");
  EXPECT_EQ(coupling_words(pair(", connections: {a.u: soh}").plan), "mixed");
  EXPECT_EQ(coupling_words({}), "none");
}

TEST(PlanWords, one_way_of_feed_through_is_named_and_several_are_mixed) {
  EXPECT_EQ(feedthrough_words(pair("").plan), "held");
  EXPECT_EQ(feedthrough_words(pair(", feedthrough: fresh").plan), "fresh");
  EXPECT_EQ(feedthrough_words(pair(", subsystems: {a: {feedthrough: fresh}}").plan), "mixed");
}

TEST(PlanWords, the_plan_has_every_number_by_the_names_of_the_description) {
  const formats::Value plan = plan_value(pair(", connections: {a.u: soh}, subsystems: {b: {micro_step: 0.05}}"));
  EXPECT_EQ(plan.find("step")->number(), 0.1);
  EXPECT_EQ(plan.find("subsystems")->find("b")->find("micro_step")->number(), 0.05);
  EXPECT_EQ(plan.find("subsystems")->find("a")->find("feedthrough")->string(), "held");
  EXPECT_EQ(plan.find("connections")->find("a.u")->string(), "soh");
  EXPECT_EQ(plan.find("connections")->find("b.u")->string(), "zoh");
}

}  // namespace
}  // namespace seam::report
