#include "seam/study/summary.hpp"

#include <cmath>
#include <limits>

#include "study/study_folder.hpp"

namespace seam::study {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

TEST(Quantile, lies_between_the_sorted_values) {
  EXPECT_EQ(quantile({3.0, 1.0, 2.0}, 0.5), 2.0);
  EXPECT_EQ(quantile({4.0, 1.0, 2.0, 3.0}, 0.5), 2.5);
  EXPECT_EQ(quantile({4.0, 1.0}, 0.0), 1.0);
  EXPECT_EQ(quantile({4.0, 1.0}, 1.0), 4.0);
  EXPECT_EQ(quantile({5.0}, 0.3), 5.0);
  EXPECT_EQ(quantile({1.0, infinite, infinite}, 0.5), infinite);
  EXPECT_EQ(quantile({1.0, 2.0, infinite}, 0.5), 2.0);
  EXPECT_EQ(quantile({1.0, infinite}, 0.5), infinite);
  EXPECT_EQ(quantile({infinite, infinite}, 0.5), infinite);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}

using Summaries = StudyFolder;

TEST_F(Summaries, count_what_diverged_beyond_every_threshold_and_what_failed_apart) {
  const Prepared study = prepared(
      "metrics: [nrmse_range]\nvary: {left.to_ground.k: [1, 2, 3, 4]}\n"
      "summarise: {by: [], over: {nrmse_range: [0.2, 0.4]}, quantiles: [0.5, 1]}\n");
  std::vector<Row> rows;
  const double errors[] = {0.2, 0.3, infinite, not_known};
  const Ending endings[] = {Ending::done, Ending::done, Ending::diverged, Ending::failed};
  for (std::size_t point = 0; point < 4; ++point)
    rows.push_back({point, 0, point_of(study.study, point).texts, endings[point], {errors[point]}, ""});
  const Summary summary = summarise(study.study, study.sheet, rows);
  ASSERT_EQ(summary.lines.size(), 1U);
  const SummaryLine& line = summary.lines.front();
  EXPECT_EQ(line.cases, 4U);
  EXPECT_EQ(line.diverged, 1U);
  EXPECT_EQ(line.failed, 1U);
  EXPECT_EQ(line.metrics[0].known, 3U);
  EXPECT_EQ(line.metrics[0].over, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(line.metrics[0].quantiles, (std::vector<double>{0.3, infinite}));
}

TEST_F(Summaries, group_by_what_stands_in_lists_unless_told_otherwise) {
  const Prepared study = prepared(
      "metrics: [radius]\nseed: 1\nsamples: 3\n"
      "vary: {plan.step: [1 ms, 2 ms], left.to_ground.k: {uniform: [1, 2]}, plan.coupling: [zoh, foh]}\n");
  std::vector<Row> rows;
  for (std::size_t point = 0; point < 6; ++point) {
    for (std::size_t method = 0; method < 2; ++method)
      rows.push_back(
          {point, method, point_of(study.study, point).texts, Ending::done, {static_cast<double>(point)}, ""});
  }
  const Summary summary = summarise(study.study, study.sheet, rows);
  ASSERT_EQ(summary.lines.size(), 4U);
  EXPECT_EQ(summary.lines[1].method, "foh");
  EXPECT_EQ(summary.lines[2].group, (std::vector<std::string>{"2 ms"}));
  EXPECT_EQ(summary.lines[2].cases, 3U);
  EXPECT_EQ(summary.lines[2].metrics[0].quantiles.front(), 4.0);
}

}  // namespace
}  // namespace seam::study
