// Studies that cannot be run say why, where, and how to mend it.
#include "study/study_folder.hpp"

namespace seam::study {
namespace {

using BadStudy = StudyFolder;

void expect_said(const std::string& text, const std::string& place, const std::string& what) {
  EXPECT_NE(text.find(place), std::string::npos) << text;
  EXPECT_NE(text.find(what), std::string::npos) << text;
}

TEST_F(BadStudy, a_key_that_does_not_exist) {
  expect_said(problems_of("varry: {plan.step: [1 ms]}\n"), "study.yaml:3:1", "did you mean \"vary\"?");
}

TEST_F(BadStudy, a_path_that_does_not_exist_is_shown_where_it_stands) {
  expect_said(problems_of("vary:\n  lef.to_ground.k: [1, 2]\n"), "study.yaml:4:3", "did you mean \"left\"?");
}

TEST_F(BadStudy, a_parameter_that_does_not_exist) {
  expect_said(problems_of("vary:\n  left.massess: [[1]]\n"), "study.yaml:4:3", "masses");
}

TEST_F(BadStudy, a_method_that_does_not_exist) {
  expect_said(problems_of("vary: {plan.coupling: [fho]}\n"), "study.yaml:3:24", "foh");
}

TEST_F(BadStudy, a_name_that_nobody_uses) {
  expect_said(problems_of("vary:\n  mass: [1, 2]\n"), "study.yaml:4:3", "\"mass\" changes nothing");
}

TEST_F(BadStudy, an_expression_with_a_name_that_does_not_exist) {
  expect_said(problems_of("vary: {mass: [1, 2]}\nset: {left.masses: \"[{mas}]\"}\n"),
              "study.yaml:4:", "did you mean \"mass\"?");
}

TEST_F(BadStudy, an_expression_with_a_value_that_has_a_unit) {
  expect_said(problems_of("vary: {mass: [1 kg]}\nset: {left.masses: \"[{mass}]\"}\n"),
              "study.yaml:4:", "leave its unit out");
}

TEST_F(BadStudy, draws_without_a_seed) {
  expect_said(problems_of("vary:\n  left.to_ground.k: {uniform: [1, 2]}\nsamples: 3\n"), "study.yaml:4:3", "seed: 1");
}

TEST_F(BadStudy, micro_steps_and_radii_of_a_reference_that_is_no_run) {
  expect_said(problems_of("compare: [left.F]\ncompare_at: micro-steps\n"), "study.yaml:4:13",
              "only a run has micro steps");
  expect_said(problems_of("exclude: {reference_radius: 1}\n"), "study.yaml:3:29",
              "only a run has a step with a radius");
  expect_said(problems_of("compare_at: micro-steps\nreference: {plan.step: 1 ms}\n"), "study.yaml:3:13",
              "nothing says what is compared");
}

// It was every case that failed.
TEST_F(BadStudy, a_pattern_that_no_port_with_micro_steps_matches) {
  expect_said(problems_of("compare: [left.G]\ncompare_at: micro-steps\nreference: {plan.step: 1 ms}\n"), "study.yaml",
              "no variable matches \"left.G\"");
}

TEST_F(BadStudy, samples_of_nothing) {
  expect_said(problems_of("samples: 3\n"), "study.yaml:3:10", "nothing is drawn");
}

TEST_F(BadStudy, distributions_that_are_none) {
  const auto of = [&](const std::string& distribution) {
    return problems_of("seed: 1\nvary:\n  left.to_ground.k: {" + distribution + "}\n");
  };
  expect_said(of("uniform: [2, 1]"), "study.yaml:5:", "must not be larger");
  expect_said(of("uniform: [2]"), "study.yaml:5:", "needs two numbers");
  expect_said(of("log-uniform: [0, 1]"), "study.yaml:5:", "greater than 0");
  expect_said(of("normal: [0, -1]"), "study.yaml:5:", "must not be negative");
  expect_said(of("choice: []"), "study.yaml:5:", "nothing to choose from");
  expect_said(of("unifrom: [1, 2]"), "study.yaml:5:", "neither a list, nor a range, nor a distribution");
}

TEST_F(BadStudy, ranges_that_are_none) {
  const auto of = [&](const std::string& range) { return problems_of("vary:\n  plan.step: {" + range + "}\n"); };
  expect_said(of("from: 1 ms, to: 1 s, count: 3"), "study.yaml:4:", "the same unit");
  expect_said(of("from: 0, to: 1, count: 3, spacing: logarithmic"), "study.yaml:4:", "greater than 0");
  expect_said(of("from: 1, to: 2, count: 1"), "study.yaml:4:", "whole number from 2 on");
  expect_said(of("from: 1, to: 2, count: 1e9"), "study.yaml:4:", "too many");
}

TEST_F(BadStudy, more_points_than_anybody_could_run) {
  expect_said(problems_of("seed: 1\nsamples: 1e9\nvary: {left.to_ground.k: {uniform: [1, 2]}}\n"),
              "study.yaml:1:", "1e+09 points");
}

TEST_F(BadStudy, a_path_that_varies_twice) {
  expect_said(problems_of("vary: {left.to_ground.k: [1]}\ncases: [{left.to_ground.k: 2}]\n"),
              "study.yaml:4:", "varies twice");
}

TEST_F(BadStudy, cases_with_different_paths) {
  expect_said(problems_of("cases: [{left.to_ground.k: 2}, {right.to_ground.k: 2}]\n"),
              "study.yaml:3:", "the same paths");
}

TEST_F(BadStudy, a_summary_of_what_is_not_there) {
  expect_said(problems_of("summarise: {over: {nrmse: 1}}\n"), "study.yaml:3:", "\"nrmse\" is not measured");
  expect_said(problems_of("vary: {plan.step: [1 ms]}\nsummarise: {by: [plan.stop]}\n"),
              "study.yaml:4:", "did you mean \"plan.step\"?");
  expect_said(problems_of("summarise: {quantiles: [50]}\n"), "study.yaml:3:", "between 0 and 1");
}

TEST_F(BadStudy, a_metric_that_does_not_exist) {
  expect_said(problems_of("metrics: [nrmse_rnage]\n"), "study.yaml:3:", "nrmse_range");
}

TEST_F(BadStudy, a_system_that_is_not_there) {
  formats::write_text(path("study.yaml"), "study: 1\nsystem: nowhere.yaml\n");
  EXPECT_THROW(prepare(path("study.yaml")), base::ProblemsFound);
}

TEST_F(BadStudy, a_good_one_has_no_problems) { EXPECT_EQ(problems_of("vary: {plan.step: [1 ms]}\n"), ""); }

}  // namespace
}  // namespace seam::study
