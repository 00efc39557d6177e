// FMUs of one kind that step in a row by one call.
#include <fmt/format.h>

#include "engine/fmu_workshop.hpp"

namespace seam::engine {
namespace {

using stepping::Ending;

class Row : public FmuWorkshop, public ::testing::WithParamInterface<int> {
 protected:
  std::string part(const std::string& name, const std::string& set = {}) const {
    return fmt::format("{{fmu: {}, set: {{{}}}}}", fmu(GetParam(), name), set);
  }
  static std::string ring(const std::string& a, const std::string& b, const std::string& c) {
    return fmt::format(
        "seam: 1\nsubsystems:\n  a: {}\n  b: {}\n  c: {}\nconnections: [a.y -> b.u, b.y -> c.u, c.y -> a.u]\n"
        "experiment: {{stop: 1}}\nplan: {{step: 0.125}}\nrecord: {{variables: [\"*.*\"]}}\n",
        a, b, c);
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, Row, ::testing::Values(2, 3));

TEST_P(Row, the_one_that_discards_is_the_culprit_wherever_it_stands) {
  const std::string discards = part("strict", "discard_at: 0.3"), goes_on = part("strict");
  EXPECT_EQ(run_text(ring(discards, goes_on, goes_on)).culprit, "a");
  EXPECT_EQ(run_text(ring(goes_on, discards, goes_on)).culprit, "b");
  EXPECT_EQ(run_text(ring(goes_on, goes_on, discards)).culprit, "c");
}

TEST_P(Row, the_one_that_fails_is_named_and_the_rows_before_are_kept) {
  const RunSummary summary = run_text(ring(part("strict"), part("bad-error"), part("strict")));
  EXPECT_NE(summary.result.ending, Ending::completed);
  EXPECT_EQ(summary.complaint.find("b ("), 0u) << summary.complaint;
  EXPECT_EQ(result().rows(), 5u);
}

// FMI 3 asks at the end of the step, which is then the last row; FMI 2 stops inside it, and the row before is the last.
TEST_P(Row, those_behind_one_that_wants_to_end_arrive_as_well) {
  const auto started = [&](const std::string& more = {}) { return part("strict", "x0: 3" + more); };
  const formats::Table whole = table_of(ring(started(), part("strict", "x0: 1"), started()));
  const RunSummary summary = run_text(ring(started(), part("strict", "x0: 1, terminate_at: 0.3"), started()));
  EXPECT_EQ(summary.result.ending, Ending::ended_by_subsystem);
  const formats::Table ended = result();
  const std::size_t last = GetParam() == 2 ? 2 : 3;
  ASSERT_EQ(ended.rows(), last + 1);
  for (const char* name : {"a.y", "b.y", "c.y"})
    EXPECT_EQ(column(ended, name)[last], column(whole, name)[last]) << name;
}

// On threads each of them is called by itself.
TEST_P(Row, gives_what_single_calls_give_with_other_kinds_between_slow_ones_and_a_shorter_last_step) {
  const std::string other = fmt::format("{{fmu: {}}}", fmu(5 - GetParam(), "integrator"));
  for (const char* plan :
       {"step: 0.1", "step: 0.1, schedule: gauss-seidel", "step: 0.1, subsystems: {b: {step: 0.2}, c: {step: 0.2}}"}) {
    const bool is_slow = std::string(plan).find("0.2") != std::string::npos;
    const auto text = [&](const char* threads) {
      return fmt::format(
          "seam: 1\nsubsystems:\n  a: {0}\n  b: {0}\n  c: {0}\n  d: {1}\n  e: {0}\n"
          "connections: [a.y -> b.u, b.y -> c.u, c.y -> d.u, d.y -> e.u, e.y -> a.u]\n"
          "experiment: {{stop: {2}}}\nplan: {{{3}, threads: {4}}}\n",
          part("integrator", "x0: 1, k: -1"), other, is_slow ? "2" : "2.05", plan, threads);
    };
    EXPECT_EQ(table_of(text("1")).columns, table_of(text("always:2")).columns) << plan;
  }
}

TEST_P(Row, rounding_that_one_changes_does_not_reach_the_next) {
  const std::string meek = part("integrator", "x0: 0.1"), meddling = part("bad-environment");
  const auto chain = [&](const std::string& first) {
    return fmt::format(
        "seam: 1\nsubsystems:\n  a: {}\n  b: {}\n  c: {}\nconnections: [b.y -> c.u, c.y -> b.u]\n"
        "experiment: {{stop: 20}}\nplan: {{step: 0.1}}\n",
        first, meek, meek);
  };
  const formats::Table beside_meek = table_of(chain(meek)), beside_meddling = table_of(chain(meddling));
  EXPECT_EQ(column(beside_meek, "b.y"), column(beside_meddling, "b.y"));
  EXPECT_EQ(column(beside_meek, "c.y"), column(beside_meddling, "c.y"));
}

}  // namespace
}  // namespace seam::engine
