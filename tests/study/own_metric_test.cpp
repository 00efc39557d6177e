// Metrics of signals whose numbers are known in closed form.
#include "seam/study/own_metric.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "seam/engine/run/memory_run.hpp"
#include "study/study_folder.hpp"

namespace seam::study {
namespace {

/// A sine of amplitude 2 and period 1 s over 0 to 2 s, and its cosine.
formats::Table sine() {
  formats::Table table{{"time", "a.y", "a.z"}, {"s", "m", "m"}, {{}, {}, {}}};
  for (int i = 0; i <= 2000; ++i) {
    const double t = 1e-3 * i;
    table.columns[0].push_back(t);
    table.columns[1].push_back(2.0 * std::sin(2.0 * std::numbers::pi * t));
    table.columns[2].push_back(2.0 * std::cos(2.0 * std::numbers::pi * t));
  }
  return table;
}

OwnMetric metric_of(OwnMetric::Kind kind, const std::string& text) {
  ExpressionProblem problem;
  OwnMetric metric;
  metric.name = "m";
  metric.kind = kind;
  metric.of = Expression::read(text, problem).value();
  return metric;
}

double value_of(const OwnMetric& metric, const formats::Table& table = sine()) {
  const std::vector<OwnMetric> metrics = {metric};
  std::vector<std::string> remarks;
  const Lookup given = [](const std::string& name) { return name == "k" ? std::optional(3.0) : std::nullopt; };
  return MetricEvaluator(metrics)(table, given, remarks).at(0);
}

double value_of(OwnMetric::Kind kind, const std::string& text) { return value_of(metric_of(kind, text)); }

using Kind = OwnMetric::Kind;

TEST(OwnMetric, measures_a_sine) {
  EXPECT_NEAR(value_of(Kind::final_value, "a.z"), 2.0, 1e-12);
  EXPECT_NEAR(value_of(Kind::largest, "a.y"), 2.0, 1e-12);
  EXPECT_NEAR(value_of(Kind::smallest, "a.y"), -2.0, 1e-12);
  EXPECT_NEAR(value_of(Kind::range, "a.y"), 4.0, 1e-12);
  EXPECT_NEAR(value_of(Kind::mean, "a.y"), 0.0, 1e-12);
  EXPECT_NEAR(value_of(Kind::rms, "a.y"), std::numbers::sqrt2, 1e-12);
  EXPECT_NEAR(value_of(Kind::integral, "abs(a.y)"), 8.0 / std::numbers::pi, 1e-5);
  EXPECT_NEAR(value_of(Kind::time_of_largest, "a.y"), 0.25, 1e-12);
  EXPECT_NEAR(value_of(Kind::time_of_smallest, "a.y"), 0.75, 1e-12);
}

TEST(OwnMetric, computes_with_columns_the_time_and_names_that_vary) {
  EXPECT_NEAR(value_of(Kind::largest, "sqrt(a.y^2 + a.z^2)"), 2.0, 1e-12);
  EXPECT_NEAR(value_of(Kind::integral, "k*time"), 6.0, 1e-12);
  EXPECT_NEAR(value_of(Kind::largest, "`a.y`*pi/pi"), 2.0, 1e-12);
  EXPECT_NEAR(value_of(Kind::expression, "2*k"), 6.0, 1e-12);
}

TEST(OwnMetric, counts_crossings_of_a_level_and_tells_their_times) {
  OwnMetric metric = metric_of(Kind::crossings, "a.z");
  EXPECT_EQ(value_of(metric), 4.0);
  metric.crossing.direction = OwnMetric::Crossing::Direction::rising;
  EXPECT_EQ(value_of(metric), 2.0);
  metric.kind = Kind::time_of_crossing;
  EXPECT_NEAR(value_of(metric), 0.75, 1e-12);
  metric.crossing.which = OwnMetric::Crossing::Which::last;
  EXPECT_NEAR(value_of(metric), 1.75, 1e-12);
  metric.crossing.level = 1.0;  // 2 cos = 1 at 5/6 of a period; the line between two rows is off by its curvature
  EXPECT_NEAR(value_of(metric), 1.0 + 5.0 / 6.0, 1e-6);
  metric.crossing.level = 3.0;
  EXPECT_TRUE(std::isnan(value_of(metric)));
  metric.kind = Kind::crossings;
  EXPECT_EQ(value_of(metric), 0.0);
}

TEST(OwnMetric, a_level_that_is_only_touched_is_not_crossed) {
  const formats::Table table{{"time", "a.y"}, {"s", ""}, {{0, 1, 2, 3, 4, 5}, {-1, 0, -1, 0, 0, 1}}};
  EXPECT_EQ(value_of(metric_of(Kind::crossings, "a.y"), table), 1.0);
  EXPECT_EQ(value_of(metric_of(Kind::time_of_crossing, "a.y"), table), 3.0);
}

TEST(OwnMetric, a_jump_adds_nothing_to_an_integral) {
  const formats::Table table{{"time", "a.y"}, {"s", ""}, {{0, 1, 1, 2}, {1, 1, 5, 5}}};
  EXPECT_EQ(value_of(metric_of(Kind::integral, "a.y"), table), 6.0);
  EXPECT_EQ(value_of(metric_of(Kind::mean, "a.y"), table), 3.0);
}

TEST(OwnMetric, looks_at_its_time_alone) {
  OwnMetric metric = metric_of(Kind::mean, "a.y");
  metric.to = 0.5;
  EXPECT_NEAR(value_of(metric), 4.0 / std::numbers::pi, 1e-5);
  metric.from = 0.5;
  EXPECT_NEAR(value_of(metric), 0.0, 1e-12);  // a single row
  metric.to = 1.0;
  EXPECT_NEAR(value_of(metric), -4.0 / std::numbers::pi, 1e-5);
  metric.from = 3.0, metric.to = 4.0;
  EXPECT_TRUE(std::isnan(value_of(metric)));
}

TEST(OwnMetric, what_is_not_a_number_makes_no_metric) {
  formats::Table table = sine();
  table.columns[1][7] = NAN;
  for (const Kind kind : {Kind::largest, Kind::smallest, Kind::range, Kind::rms, Kind::time_of_largest})
    EXPECT_TRUE(std::isnan(value_of(metric_of(kind, "a.y"), table)));
}

TEST(OwnMetric, compares_with_measured_values_in_their_unit) {
  OwnMetric metric = metric_of(Kind::comparison, "a.y");
  metric.measured.table = {{"time", "y"}, {"s", "mm"}, {{0.0, 2.0}, {500.0, 500.0}}};
  // rms of 2 sin - 0.5 is sqrt(2 + 0.25) m; every row but the sides has the same weight
  EXPECT_NEAR(value_of(metric), 1500.0, 1.0);
  metric.measured.error = OwnMetric::Measured::Error::largest;
  EXPECT_NEAR(value_of(metric), 2500.0, 1e-9);
}

class OwnMetricStudy : public StudyFolder {};

const char* const metrics_of_a_swing =
    "set: {experiment.stop: 2 s}\n"
    "metrics:\n"
    "  - furthest: {max: abs(left.x1)}\n"
    "  - turned: {time_of: {min: left.x1}}\n"
    "  - zeros: {crosses: left.x1}\n"
    "  - mean_force: {mean: left.F, from: 0.5 s, to: 1 s}\n"
    "  - relative: {expression: 100*mean_force/furthest}\n";

TEST_F(OwnMetricStudy, makes_one_run_a_point_and_tells_what_a_run_shows) {
  const Prepared study = prepared(metrics_of_a_swing);
  EXPECT_EQ(study.sheet.methods, std::vector<std::string>{"as planned"});
  const StudyResult result = run(study, "r.csv");
  ASSERT_EQ(result.rows.size(), 1U);
  EXPECT_EQ(result.rows[0].reason, "");
  const std::vector<double>& found = result.rows[0].metrics;
  engine::Changes changes;
  changes.stop = "2 s";
  changes.variables = {"left.x1"};
  const engine::MemoryRun one = engine::run_in_memory(engine::open(path("pair.yaml"), changes), {});
  const std::vector<double>&x = *one.table.find("left.x1"), &time = one.table.columns[0];
  EXPECT_EQ(found[0], 1.0);
  EXPECT_EQ(found[1], time[static_cast<std::size_t>(std::ranges::min_element(x) - x.begin())]);
  double zeros = 0.0;
  for (std::size_t i = 1; i < x.size(); ++i) zeros += x[i - 1] * x[i] < 0.0 ? 1.0 : 0.0;
  EXPECT_EQ(found[2], zeros);
  EXPECT_NEAR(found[4], 100.0 * found[3] / found[0], 1e-14);
  EXPECT_EQ(read("r.csv").substr(0, read("r.csv").find('\n')),
            "case,point,method,ending,furthest,turned,zeros,mean_force,relative,reason");
}

TEST_F(OwnMetricStudy, a_rule_may_name_metrics_before_it) {
  const StudyResult result =
      run(prepared(
              "metrics: [{end: {final: left.x1}}, {off: {max: abs(left.x1 - end)}}, {start: {max: left.x1, to: 0}}]\n"),
          "r.csv");
  const std::vector<double>& found = result.rows[0].metrics;
  EXPECT_EQ(found[1], found[2] - found[0]);  // it falls from 1
}

TEST_F(OwnMetricStudy, errors_stay_what_they_are_beside_own_metrics) {
  const StudyResult alone = run(prepared("metrics: [nrmse_range, nrmse_range_each]\n"), "a.csv");
  const StudyResult both = run(prepared("metrics: [nrmse_range, nrmse_range_each, {far: {max: left.a1}}]\n"), "b.csv");
  ASSERT_EQ(alone.rows.size(), both.rows.size());
  for (std::size_t i = 0; i < alone.rows.size(); ++i) {
    std::vector<double> errors = both.rows[i].metrics;
    EXPECT_GT(errors.back(), 0.0);
    errors.pop_back();
    EXPECT_EQ(errors, alone.rows[i].metrics);
  }
}

TEST_F(OwnMetricStudy, a_comparison_with_its_own_result_is_zero) {
  engine::RunSettings settings;
  settings.file = path("measured.csv");
  engine::Changes changes;
  changes.variables = {"left.x1"};
  engine::run(engine::open(path("pair.yaml"), changes), settings);
  const Prepared study = prepared(
      "vary: {left.to_ground.k: [10, 12]}\n"
      "metrics: [{fit: {compare: left.x1, with: measured.csv}}, "
      "{other: {compare: right.x1, with: measured.csv, column: left.x1, error: largest}}]\n");
  const StudyResult result = run(study, "r.csv");
  EXPECT_EQ(result.rows[0].metrics[0], 0.0);
  EXPECT_GT(result.rows[0].metrics[1], 0.5);
  EXPECT_GT(result.rows[1].metrics[0], 0.0);
  EXPECT_NE(study.files.size(), prepared("metrics: [radius]\n").files.size());  // a study rests on what was measured
}

TEST_F(OwnMetricStudy, measured_values_are_not_replaced_by_the_result) {
  formats::write_text(path("m.csv"), "time,left.x1\n0,1\n1,1\n");
  const Prepared study = prepared("metrics: [{fit: {compare: left.x1, with: m.csv}}]\n");
  EXPECT_THROW(run(study, "m.csv"), base::ProblemsFound);
  EXPECT_EQ(read("m.csv"), "time,left.x1\n0,1\n1,1\n");
}

TEST_F(OwnMetricStudy, a_case_that_diverges_has_no_metrics) {
  const StudyResult result = run(
      prepared("growth_limit: 100\nset: {experiment.stop: 100, plan.step: 100 ms}\nmetrics: [{far: {max: left.x1}}]\n"),
      "r.csv");
  EXPECT_EQ(result.rows[0].ending, Ending::diverged);
  EXPECT_TRUE(std::isnan(result.rows[0].metrics[0]));
}

void expect_said(const std::string& text, const std::string& place, const std::string& what) {
  EXPECT_NE(text.find(place), std::string::npos) << text;
  EXPECT_NE(text.find(what), std::string::npos) << text;
}

TEST_F(OwnMetricStudy, says_what_is_wrong_with_a_metric) {
  expect_said(problems_of("metrics:\n  - far: {max: left.x9}\n"), "study.yaml:4:5", "did you mean \"left.x1\"?");
  expect_said(problems_of("metrics:\n  - far: {max: left.outputs}\n"), "study.yaml:4:5", "is not a single variable");
  expect_said(problems_of("metrics: [{far: {most: left.x1}}]\n"), "study.yaml:3:", "nothing says what is measured");
  expect_said(problems_of("metrics: [{far: {max: left.x1, min: left.x1}}]\n"), "study.yaml:3:", "the second one");
  expect_said(problems_of("metrics: [{far: {max: left.x1, level: 1}}]\n"), "study.yaml:3:", "level");
  expect_said(problems_of("metrics: [{far: {max: left.x1 +}}]\n"), "study.yaml:3:", "missing at the end");
  expect_said(problems_of("metrics: [{far: {max: left.x1, from: 2 s, to: 1 s}}]\n"), "study.yaml:3:", "ends before");
  expect_said(problems_of("metrics: [{a: {max: left.x1}}, {b: {expression: 2*c}}]\n"),
              "study.yaml:3:", "\"c\" has no value here");
  expect_said(problems_of("vary: {m: [1 kg]}\nset: {left.masses: [1]}\nmetrics: [{a: {max: m*left.x1}}]\n"),
              "study.yaml:5:", "leave its unit out");
  expect_said(problems_of("metrics: [{radius: {max: left.x1}}]\n"), "study.yaml:3:", "has a meaning already");
  expect_said(problems_of("metrics: [{a b: {max: left.x1}}]\n"), "study.yaml:3:", "cannot be the name");
  expect_said(problems_of("metrics: [{a: {max: left.x1}}, {a: {min: left.x1}}]\n"), "study.yaml:3:", "twice");
  expect_said(problems_of("metrics: [{a: {compare: left.x1}}]\n"), "study.yaml:3:", "with what it is compared");
  expect_said(problems_of("metrics: [{a: {compare: left.x1, with: none.csv}}]\n"), "study.yaml:3:", "there is no file");
  formats::write_text(path("m.csv"), "time,x\n0,1\n1,1\n");
  expect_said(problems_of("metrics: [{a: {compare: left.x1, with: m.csv}}]\n"), "study.yaml:3:", "has no column");
}

}  // namespace
}  // namespace seam::study
